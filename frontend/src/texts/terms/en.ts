import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const en = (f: Figures): LegalText => ({
  title: "Terms of Service",
  description:
    "The rules for using Tapedeck: what may be converted, the plans, payment, cancellation and refunds, and where to report a work.",
  dated: (date) => `Last updated: ${date}`,
  contents: "Contents",
  note: "",
  lead: "The rules between you and us, in words meant to be read. By using the service you agree to them.",
  sections: [
    {
      id: "the-service",
      title: "The service",
      paragraphs: [
        "Tapedeck makes an MP3 or MP4 file from the link to a video that you give it, and keeps the file for you for a limited time. Some videos cannot be converted; the service then says why.",
        "We do not help anybody get around a technical protection, a sign-in, a payment or a restriction of a video site, and the service does not attempt to.",
      ],
    },
    {
      id: "acceptable-use",
      title: "Acceptable use",
      paragraphs: ["You decide what you convert, and you answer for it. Convert only what you may copy:"],
      points: [
        "works of your own;",
        "works in the public domain, or whose licence allows copying;",
        "works whose owner has allowed you to copy them;",
        "works that the law where you live lets you copy for yourself.",
      ],
    },
    {
      id: "not-allowed",
      title: "What is not allowed",
      paragraphs: ["You may not:"],
      points: [
        "convert works you may not copy, or hand out copies that you may not hand out;",
        "use the service for anything unlawful, or against the terms of the site the link leads to;",
        "get around the limits of your plan, share one account among many people, or resell the service;",
        "attack the service, overload it, or use it to reach systems that are not yours.",
      ],
    },
    {
      id: "takedown",
      title: "Reporting a work",
      paragraphs: [
        `If you hold the rights to a work and see them infringed through this service, write to ${f.takedownEmail}. Name the work, the link concerned, and how we can reach you, and state that you hold the rights or act for their holder.`,
        "We look at every report, remove what has to be removed, and end the accounts of people who infringe repeatedly. Files are for the person who made them only, and disappear by themselves within the times below.",
      ],
    },
    {
      id: "plans",
      title: "Plans and limits",
      paragraphs: ["What each plan gives:"],
      points: [
        `Free: MP3 with ${f.free.mp3}, MP4 with up to ${f.free.mp4}, ${f.free.otherFormats}, videos of up to ${f.free.length}, files of up to ${f.free.size}, kept for ${f.free.kept}. The free plan shows advertisements.`,
        `Pro: MP3 with ${f.pro.mp3}, MP4 with up to ${f.pro.mp4}, ${f.pro.otherFormats}, videos of up to ${f.pro.length}, files of up to ${f.pro.size}, kept for ${f.pro.kept}, up to ${f.pro.batch} links at once, first in the queue, no advertisements.`,
        "After that time a file is deleted and cannot be brought back. Keep your own copy.",
      ],
    },
    {
      id: "payment",
      title: "Payment and cancellation",
      paragraphs: [
        `Pro costs ${f.monthly} a month or ${f.yearly} a year, paid in advance by card through our payment provider, and renews by itself until you cancel.`,
        "You can cancel at any time. You keep the Pro features until the end of the billing period, and nothing more is charged.",
      ],
    },
    {
      id: "refunds",
      title: "Refunds",
      paragraphs: [
        `There is a money-back guarantee of ${f.refund}: if you are not happy, write to us within ${f.refund} of a payment, and you get it back in full. Pro ends then.`,
      ],
    },
    {
      id: "accounts",
      title: "Accounts",
      paragraphs: [
        "Keep your sign-in to yourself; what happens under it counts as yours until you tell us otherwise.",
        `You can delete your account on your dashboard. Your files go at once, and its data is removed within ${f.deletion}. We may suspend accounts that break these terms; unless the matter is serious, we write to you first.`,
      ],
    },
    {
      id: "availability",
      title: "Availability",
      paragraphs: [
        `Conversions typically take ${f.usualFrom} to ${f.usualTo} minutes, and we aim to be there ${f.uptime} of the time. Both are aims and not guarantees: video sites change, and machines fail.`,
      ],
    },
    {
      id: "liability",
      title: "Liability",
      paragraphs: [
        "The service is offered as it is. As far as the law allows, we are not liable for files that could not be made, were made wrongly or were lost, nor for indirect damage, and otherwise for no more than you have paid us in the past twelve months. Nothing here limits rights that the law gives you as a consumer.",
      ],
    },
    {
      id: "changes",
      title: "Changes and contact",
      paragraphs: [
        "If these terms change, their date changes too, and people with a subscription hear of it before it takes effect and may cancel.",
        `Questions: ${f.supportEmail}.`,
      ],
    },
  ],
});
