import type { Figures } from "../figures.ts";

export const en = {
  title: "Contact",
  description:
    "Write to Tapedeck's support: technical problems, billing, ideas, bugs and partnerships, with the times in which we answer.",
  lead: "A question, a problem or an idea? Tell us.",
  form: {
    title: "Send a message",
    allRequired: "All fields are required.",
    firstName: "First name",
    lastName: "Last name",
    email: "Email",
    subject: "Subject",
    choose: "Choose a subject",
    subjects: {
      technical: "Technical support",
      billing: "Billing",
      feature: "Feature request",
      bug: "Bug report",
      general: "General question",
      partnership: "Partnership",
    },
    message: "Message",
    send: "Send message",
    sending: "Sending...",
    problems: {
      firstName: "Please enter your first name",
      lastName: "Please enter your last name",
      email: "Please enter your email address",
      emailFormat: "Please enter an email address such as name@example.org",
      subject: "Please choose a subject",
      message: "Please enter a message",
      messageLength: "Please shorten your message to 5,000 characters",
    },
    notSent: "Message not sent",
    failures: {
      failed: "Your message could not be sent, and its text is still here. Try again later, or write to us by email:",
      offline:
        "There is no connection, and your text is still here. Send it again when you are online, or write to us by email:",
      limited: (when: string) => `You have sent several messages. Try again ${when}, or write to us by email:`,
    },
    needsScript: "This form needs JavaScript. Please write to our address instead.",
    sent: { title: "Message Sent", description: "Thank you for contacting us! We'll get back to you within 24 hours." },
  },
  times: {
    title: "Response times",
    technical: "Technical support",
    billing: "Billing",
    general: "General questions",
    pro: "Pro members",
    within: (hours: number) => `within ${hours} hours`,
    priority: "priority: answered first",
  },
  write: {
    title: "Write to us",
    text: "Send an email to the address below. Name a subject, such as billing or a bug, and what we need to know to help.",
  },
  email: { title: "By email", text: "If you prefer your own mail program:" },
  faq: {
    title: "Before you write",
    questions: (f: Figures) => [
      {
        question: "My conversion failed. What should I send you?",
        answer: "The link, the format, and the line below the title in the list. That is usually all we need.",
      },
      {
        question: "How do I cancel Pro or get a refund?",
        answer: `You can cancel at any time and keep Pro until the end of the paid period. Refunds within ${f.refund} of a payment need only a message with the subject Billing.`,
      },
      {
        question: "Can you bring back an expired file?",
        answer: `No. Files are deleted for good after ${f.free.kept} (free) or ${f.pro.kept} (Pro). Convert the link again.`,
      },
    ],
    more: "More answers",
  },
};

export type ContactTexts = typeof en;
