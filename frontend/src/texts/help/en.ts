export const en = {
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
