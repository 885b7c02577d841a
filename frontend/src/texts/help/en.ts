import type { Figures } from "../figures.ts";

export const en = {
  title: "Help",
  description:
    "Answers about converting video links to MP3 and MP4, accounts and Pro, problems, downloads and how long files are kept.",
  lead: "The questions people ask most, answered in a few lines.",
  /** In four groups, each a list of questions with their answers. */
  groups: (f: Figures) => [
    {
      title: "Getting started",
      questions: [
        {
          question: "How do I convert a video?",
          answer:
            "Paste the link on the home page, choose MP3 for sound or MP4 for picture, and press Convert. The conversion appears in the list below and tells you what it is doing until the file is there. If Download appears before that, press it at once: you get what is there, and then the rest as it is made.",
        },
        {
          question: "Which format do I choose?",
          answer: `MP3 plays everywhere, MP4 has the picture. The original sound is the video's own, M4A or Opus: it is not encoded again, so it loses nothing and is ready soonest. ${f.proFormats} (Pro) are for programs that take nothing else: they are larger, not better.`,
        },
        {
          question: "Can I have the subtitles?",
          answer:
            "Yes, where the video has some, also those that its site has made by machine. Press Choices when the preview of your link is there: with MP4 they are a track that you can switch on, and Transcript makes a file of them alone: SRT or VTT with times, or plain text. You choose one language; without a choice it is the video's own, and what somebody has written comes before what a machine has heard. Where there are none, the preview says so.",
        },
        {
          question: "Can I take only a part of a video, or change its title?",
          answer:
            "Yes. When the preview of your link is there, press Choices: two handles and two fields set where the part begins and ends, and below you change title, artist, album, date and description of the file. The limits of your plan count for the part, so a few minutes of a very long talk are no problem. Where a video has chapters, Pro can make one file of each, all in one ZIP.",
        },
        {
          question: "Can sponsored segments be left out?",
          answer:
            "Where this site looks them up in SponsorBlock, a list that viewers of YouTube keep, and your video has some: Choices then offers to mark them as chapters or to cut them out. What is cut is encoded again. The original sound is copied as it is, so there they can only be marked.",
        },
        {
          question: "Which links work?",
          answer:
            "Links to public videos on YouTube, in every form the site gives you: the address of the page, a short youtu.be link or a link to a short. Links to playlists, channels, albums and podcasts work too: you choose from their videos. Live streams, private videos and videos that need a sign-in cannot be converted.",
        },
        {
          question: "Can I convert a playlist or a channel?",
          answer: `Yes. Paste its link: its videos appear below the field, up to ${f.listEntries} of them, and you search their titles and choose. The free plan converts one at a time. With Pro you choose as many as you like; they are converted in batches of ${f.pro.batch}, one after the other, also when the page is closed.`,
        },
        {
          question: "How long does a conversion take?",
          answer: `Typically ${f.usualFrom} to ${f.usualTo} minutes. It depends on the length of the video and on how busy the service is; conversions of Pro members go first.`,
        },
        {
          question: "Do I need an account?",
          answer:
            "No. Without one you convert single links within the limits of the free plan. An account is for Pro, and for seeing your conversions on all your devices.",
        },
      ],
    },
    {
      title: "Account",
      questions: [
        {
          question: "What does Pro give me?",
          answer: `MP3 with ${f.pro.mp3} instead of ${f.free.mp3}, MP4 with ${f.pro.mp4} instead of ${f.free.mp4}, ${f.proFormats}, videos of up to ${f.pro.length}, files of up to ${f.pro.size}, up to ${f.pro.batch} links at once, files kept for ${f.pro.kept}, a place at the head of the queue, and no ads.`,
        },
        {
          question: "What does it cost?",
          answer: `${f.monthly} a month or ${f.yearly} a year, paid by card. There are no other fees.`,
        },
        {
          question: "How do I cancel?",
          answer:
            "At any time, with a few clicks and without a reason. You keep the Pro features until the end of the period you have paid for.",
        },
        {
          question: "Can I have my money back?",
          answer: `Yes. Within ${f.refund} of a payment we give it back in full; a message to us is enough.`,
        },
        {
          question: "How do I delete my account?",
          answer: `On your dashboard, under Account. Your files go at once, and everything stored about you is removed within ${f.deletion}.`,
        },
      ],
    },
    {
      title: "Technical support",
      questions: [
        {
          question: "Why did my conversion fail?",
          answer:
            "The line below its title says why and what you can do. Some failures pass: then Retry starts the conversion once more. If a video is private, blocked in the country of our server or gone, no retry helps.",
        },
        {
          question: "Why is my link refused?",
          answer:
            "Most often because it leads to a site that is not supported, or to a page without a video. Open the video itself and copy the address of its page.",
        },
        {
          question: "The page says that it is reconnecting. Is my conversion lost?",
          answer:
            "No. Conversions run on our server and go on without you. When your connection is back, the list catches up by itself.",
        },
        {
          question: "Is the service always there?",
          answer: `We aim for ${f.uptime} of the time. That is a target and not a guarantee; after an interruption, conversions that were running start over by themselves.`,
        },
      ],
    },
    {
      title: "Downloads and files",
      questions: [
        {
          question: "How long are my files kept?",
          answer: `${f.free.kept} on the free plan and ${f.pro.kept} with Pro, from the moment they are ready. Then they are deleted for good. Each finished conversion shows how much time is left.`,
        },
        {
          question: "How large can a file be?",
          answer: `${f.free.size} and ${f.free.length} of video on the free plan, ${f.pro.size} and ${f.pro.length} with Pro. If a video would be too large, we take a lower quality and say so, as long as it is still worth watching.`,
        },
        {
          question: "My download was interrupted. Do I have to start over?",
          answer: "No. Browsers and download managers can go on where they stopped, as long as the file is still kept.",
        },
        {
          question: "Who can see my files?",
          answer:
            "Only you: the browser that made them and, if you are signed in, your other devices. A download link does not work for anybody else.",
        },
        {
          question: "What may I convert?",
          answer:
            "What you may copy: your own videos, works in the public domain, works whose licence allows it, and works whose owner has agreed.",
        },
      ],
    },
  ],
  /** Ways to convert without coming to the page first. */
  anywhere: {
    title: "From anywhere",
    bookmark: {
      text: "Drag this button to your bookmarks. On the page of a video, press the bookmark: Tapedeck opens with its link and shows what will be converted.",
      name: "Convert with Tapedeck",
      drag: "Drag this to your bookmarks bar: here a press does nothing. Without a mouse, copy the code and make it the address of a bookmark.",
      copy: "Copy the code",
      copied: "Copied. Make it the address of a bookmark.",
    },
    shortcut: {
      title: "From the share button of an iPhone or iPad",
      /** In the order of the shortcut; below three of them are the lines to fill in. */
      steps: {
        token: "Make a token on your dashboard that may read, convert and download. It stands for TOKEN below.",
        make: "In the app Shortcuts make a new shortcut. In its details switch on Show in Share Sheet, and let it receive URLs.",
        convert:
          "Add Get Contents of URL with this address, method, header and JSON body. The value of youtubeUrl is the variable Shortcut Input.",
        answer:
          "Add Get Dictionary Value for id. If it has no value, show the value of message, which says what is wrong, and stop the shortcut.",
        look: "Add Repeat, 300 times. Into it put Get Contents of URL with this address, where ID is the value of id, and Get Dictionary Value for status.",
        file: "If the status is completed: Get Contents of URL with this address, then Save File, then Stop This Shortcut.",
        other: "If the status is failed: show the value of error.message and stop. Otherwise: Wait 2 seconds.",
      },
    },
    programs: {
      title: "As a browser extension, on the command line, in your own program",
      text: "The source of Tapedeck has an extension for Chrome and Firefox with one button, and the command tapedeck. Both work with a token of your dashboard. Everything they do, your own program can do too:",
      link: "How programs call Tapedeck",
    },
  },
  more: {
    title: "Still stuck?",
    text: "The contact page answers common questions and has the address of our support.",
    button: "Contact Support",
  },
};

export type HelpTexts = typeof en;
