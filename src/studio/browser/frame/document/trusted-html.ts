interface Policy {
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}

let policy: Policy | null = null;

/**
 * HTML that the page may take in (Trusted Types). The only uses are documents without script: the preview, whose frame
 * runs none, and pasted HTML, which is parsed and never shown.
 */
export function trustedHtml(html: string): string {
  return openPolicy().createHTML(html);
}

/** The address of the service worker, and no other script's. */
export function trustedWorkerUrl(base: string): string {
  return openPolicy().createScriptURL(`${base}/sw.js`);
}

/** The page's one policy: its Content-Security-Policy allows no second. */
function openPolicy(): Policy {
  const { trustedTypes } = globalThis as {
    readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  };
  const rules: Policy = {
    createHTML: (text) => text,
    createScriptURL(url) {
      if (/^(?:\/[\w-]+)*\/studio\/sw\.js$/.test(url)) return url;
      throw new TypeError("Only the service worker's address is trusted.");
    },
  };
  policy ??= trustedTypes?.createPolicy("studio", rules) ?? rules;
  return policy;
}
