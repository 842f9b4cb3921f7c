import { canChange, OPEN_SCOPES, PERSONAL_SCOPES, type Scope } from "../../../../domain/scopes.ts";

/** Programs that developers build, by what OAuth makes of each. */
export type KindName = "web" | "single-page" | "native" | "device" | "job";

type GrantName = "AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE";

export interface Kind {
  readonly name: KindName;
  /** Name of the choice, and of the client in lists. */
  readonly words: string;
  readonly help: string;
  readonly type: "PUBLIC" | "CONFIDENTIAL";
  readonly grantTypes: readonly GrantName[];
  /** A redirect URI as this kind of client usually has it; null where nobody is sent back. */
  readonly exampleUri: string | null;
  /** Scopes that are chosen at first. */
  readonly usualScopes: readonly Scope[];
}

const SIGN_IN: readonly Scope[] = ["openid", "profile", "posts:read"];

export const KINDS: readonly Kind[] = [
  {
    name: "web",
    words: "Web site with a server",
    help: "Rails, Django, Next.js, PHP. Your server keeps a secret that browsers never see.",
    type: "CONFIDENTIAL",
    grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN"],
    exampleUri: "https://example.com/auth/callback",
    usualScopes: SIGN_IN,
  },
  {
    name: "single-page",
    words: "Single-page app",
    help: "React, Vue, Svelte without a server of its own. Everybody can read its code, so it has no secret.",
    type: "PUBLIC",
    grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN"],
    exampleUri: "https://app.example.com/callback",
    usualScopes: SIGN_IN,
  },
  {
    name: "native",
    words: "Phone or desktop app",
    help: "People install it. The system browser opens for the sign-in, and the app gets the answer.",
    type: "PUBLIC",
    grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN"],
    exampleUri: "http://127.0.0.1/callback",
    usualScopes: [...SIGN_IN, "offline_access"],
  },
  {
    name: "device",
    words: "Command line or TV",
    help: "It shows a code, which the person types on a phone or another computer.",
    type: "PUBLIC",
    grantTypes: ["DEVICE_CODE", "REFRESH_TOKEN"],
    exampleUri: null,
    usualScopes: [...SIGN_IN, "offline_access"],
  },
  {
    name: "job",
    words: "Job without people",
    help: "A nightly build, a search index. It acts for itself and reads what everybody may read.",
    type: "CONFIDENTIAL",
    grantTypes: ["CLIENT_CREDENTIALS"],
    exampleUri: null,
    usualScopes: ["posts:read"],
  },
];

export function kindNamed(name: string | null): Kind | null {
  return KINDS.find((kind) => kind.name === name) ?? null;
}

interface Registered {
  readonly type: string;
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
}

/** Kind of a client, from its settings: the server does not keep the choice itself. */
export function kindOf({ type, grantTypes, redirectUris }: Registered): Kind {
  return kindNamed(nameOf(type, grantTypes, redirectUris)) as Kind;
}

function nameOf(type: string, grantTypes: readonly string[], redirectUris: readonly string[]): KindName {
  if (!grantTypes.includes("AUTHORIZATION_CODE")) return grantTypes.includes("DEVICE_CODE") ? "device" : "job";
  if (type === "CONFIDENTIAL") return "web";
  return redirectUris.every(isOfDevice) ? "native" : "single-page";
}

/** Whether only an app on the device gets what is sent to the URI. `localhost` is where people develop single pages. */
function isOfDevice(uri: string): boolean {
  return !/^https?:/i.test(uri) || /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i.test(uri);
}

/** Scopes that a client of a person may have, those first that only read. */
export function scopesFor(kind: Pick<Kind, "grantTypes">): readonly Scope[] {
  const all = kind.grantTypes.includes("AUTHORIZATION_CODE") || kind.grantTypes.includes("DEVICE_CODE");
  const possible = all ? OPEN_SCOPES : OPEN_SCOPES.filter((scope) => !PERSONAL_SCOPES.has(scope) && !canChange(scope));
  return [...possible.filter((scope) => !canChange(scope)), ...possible.filter(canChange)];
}
