import { trustedHtml } from "../../frame/document/trusted-html.ts";

/** The browser's own parser; undefined outside of browsers. */
export const Native = globalThis.DOMParser;

// Turndown tries a parser as it is loaded, on a plain string, which Trusted Types would refuse and report. For that moment the
// page's parser takes strings by way of the policy. own-parser.ts ends it.
if (Native !== undefined)
  globalThis.DOMParser = class extends Native {
    override parseFromString(html: string, type: DOMParserSupportedType): Document {
      return super.parseFromString(trustedHtml(html), type);
    }
  };
