/** What the server writes into the head of each page; modules of the app read it when they are loaded. */
import { VIEWER_META_NAME } from "../../../common/api.ts";
import { CONTACTS_META_NAME } from "../../../common/contacts.ts";

export const SUPPORT_EMAIL = "help-desk@deck.example.org";

const CONTENTS = {
  [VIEWER_META_NAME]: { tier: "free", authenticated: false },
  [CONTACTS_META_NAME]: { supportEmail: SUPPORT_EMAIL, takedownEmail: "rights@deck.example.org", hasForm: true },
};

for (const [name, content] of Object.entries(CONTENTS)) {
  const meta = document.head.appendChild(document.createElement("meta"));
  meta.name = name;
  meta.content = JSON.stringify(content);
}
