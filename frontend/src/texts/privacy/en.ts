import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const en = (f: Figures): LegalText => ({
  title: "Privacy Policy",
  description: "What Tapedeck stores about its visitors, for how long, who sees it, and how to have it deleted.",
  dated: (date) => `Last updated: ${date}`,
  contents: "Contents",
  note: "",
  lead: "We store what a conversion needs, for as long as it needs it, and sell nothing to anybody. This page says what that is.",
  sections: [
    {
      id: "what-we-store",
      title: "What we store",
      paragraphs: ["It depends on what you do here:"],
      points: [
        "If you convert something: the link, the title, length and thumbnail of the video, the format, how the conversion went, and the finished file.",
        "If you sign in: the email address and first name that the sign-in service tells us, and your plan. We never see your password.",
        "If you pay for Pro: the payment provider's number for you and the state of your subscription. Card numbers go from your browser to the payment provider and never reach us.",
        "If you write to us with the contact form: nothing on this site. Your message goes to our mailbox as an email, with your name, your address and your plan.",
        "In all cases: a random number that marks your browser, so that your conversions are shown to you alone, and short-lived counts of requests, downloads and open pages by network address, which keep the service fair. A free conversion is stored with a code for its network until it ends; the address cannot be read from it.",
      ],
    },
    {
      id: "how-long",
      title: "How long we keep it",
      paragraphs: ["Every kind of data has its own end:"],
      points: [
        `Finished files: ${f.free.kept} on the free plan, ${f.pro.kept} with Pro. Then they are deleted.`,
        `The record of a conversion, with its link, title and thumbnail: until you remove it, or else ${f.records} after its file has gone.`,
        `Usage logs, which count conversions and their sizes: ${f.logs}.`,
        `Webhooks: until you remove them. The text of a message to one: until your program has taken it, a day at most; what became of it: ${f.webhookLog}.`,
        `Your account: until you delete it. Your files go at once then, and all data of the account is removed within ${f.deletion}.`,
        "If we block a network, a browser or an account because of misuse: what is blocked and why, until the block is lifted; the log of such decisions for two years.",
        "If we do something about your account or your conversions, such as granting Pro or answering a request about your data: what it was and when, with the number of the account, for a year.",
        "Records of payments: for as long as tax law asks of us and of the payment provider.",
        `Backups, in case a disk fails: ${f.backups} at most. What is deleted here is gone from them by then, and a deleted account stays deleted when a backup is used.`,
      ],
    },
    {
      id: "what-for",
      title: "What we use it for",
      paragraphs: [
        "To convert what you asked for, to show you and nobody else how it is going, to hold to the limits of the plans, to bill Pro, to answer you when you write, and to find faults and abuse. We do not build profiles, and we do not use what you convert for anything else.",
      ],
    },
    {
      id: "cookies",
      title: "Cookies and your browser",
      paragraphs: [
        "We set two cookies: one holds the number of your browser, the other your sign-in, if there is one. Both are needed for the service to work, and scripts cannot read them. If you choose a language, a third cookie holds it, so that we send our pages in it. Your choice of colours stays in your browser and is not sent to us.",
        "There are no cookies for advertising or measurement. The advertisements on the free plan are part of our own pages: nothing is loaded from advertisers, and nobody is told that you saw them. Only the payment provider may set cookies of its own where you pay, against fraud.",
      ],
    },
    {
      id: "who-else",
      title: "Who else sees data",
      paragraphs: ["Only those without whom the service cannot work:"],
      points: [
        "The video site, which our server asks for the video. It sees our server's address, not yours; pictures and titles reach you through us.",
        "The sign-in service, if you sign in.",
        "The payment provider, if you pay.",
        "The provider of our mailbox, if you write to us.",
        "Your own program, if you make a webhook for it: it is told which conversions of yours have ended.",
        "Authorities, if the law compels us.",
      ],
    },
    {
      id: "your-rights",
      title: "Your rights",
      paragraphs: [
        "You can export everything stored under your account, and delete it: both are on your dashboard, under Account. To have something corrected, and for everything else, write to us; you do not need an account for that.",
        "You may also complain to the data protection authority of the place where you live.",
      ],
    },
    {
      id: "security",
      title: "Security",
      paragraphs: [
        "Connections are encrypted, and files can be downloaded only by the browser or the person who made them. If something goes wrong all the same and concerns your data, we tell you without delay.",
      ],
    },
    {
      id: "children",
      title: "Children",
      paragraphs: ["The service is not meant for children under 13, and we do not knowingly store data about them."],
    },
    {
      id: "changes",
      title: "Changes and contact",
      paragraphs: [
        "If this page changes, its date changes too, and people with an account hear of changes that matter before they take effect.",
        `Questions about your data: ${f.supportEmail}.`,
      ],
    },
  ],
});
