import { Browser, type Stop, walk } from "../security/client.ts";

export const PERSON = { name: "Ada", email: "ada@example.com", password: "seventeen tall birches" };

/** Somebody who reads a terminal and opens the URLs that it prints. */
export interface Person {
  /** Looks at what a terminal shows, and goes where it points, to each URL once. Errors come out of `done`. */
  read(text: string): void;
  /** The code that came back to a client where nobody listens: the address bar of the browser shows it. */
  readonly code: () => string | null;
  /** Waits until every page has been answered. @throws Error of a page where the person could not go on */
  done(): Promise<void>;
}

/** @param baseUrl the server whose pages the person knows; everything else is left alone */
export function openPerson(baseUrl: string): Person {
  const browser = new Browser();
  const seen = new Set<string>();
  let code: string | null = null;
  let work = Promise.resolve();
  return {
    read(text) {
      // A URL is whole when something follows it.
      for (const [, url = ""] of text.matchAll(/(https?:\/\/[^\s"'<>]+)(?=[\s"'<>])/g)) {
        if (!url.startsWith(`${baseUrl}/`) || seen.has(url)) continue;
        seen.add(url);
        work = work.then(async () => {
          code = (await open(browser, url)) ?? code;
        });
      }
    },
    code: () => code,
    done: () => work,
  };
}

async function open(browser: Browser, url: string): Promise<string | null> {
  const { pathname } = new URL(url);
  if (pathname === "/authorize" && url.includes("client_id=")) return signIn(browser, url);
  if (pathname === "/device" && url.includes("user_code=")) await allowDevice(browser, url);
  if (pathname === "/logout") await signOut(browser, url);
  return null;
}

/** To the client's page, which the person's browser then asks for. @returns the code in its URL */
async function signIn(browser: Browser, url: string): Promise<string | null> {
  const end = await agree(browser, await browser.follow(url));
  if (!end.left) throw new Error(`The sign-in stopped at ${end.url}: ${end.text.slice(-800)}`);
  if (["localhost", "127.0.0.1"].includes(end.url.hostname)) await browser.fetch(end.url).catch(() => {});
  return end.url.searchParams.get("code");
}

async function allowDevice(browser: Browser, url: string): Promise<void> {
  const page = await browser.follow(url);
  const userCode = new URL(url).searchParams.get("user_code") ?? "";
  const isAsked = page.text.includes('name="user_code"') && !page.text.includes('name="confirm"');
  const confirm = isAsked ? await browser.submit(page, "/device", { user_code: userCode }) : page;
  const end = await agree(browser, await browser.submit(confirm, "/device", { confirm: "yes" }));
  if (end.response.status !== 200) throw new Error(`The device was not allowed at ${end.url}: ${end.text.slice(-800)}`);
}

async function signOut(browser: Browser, url: string): Promise<void> {
  const page = await browser.follow(url);
  if (page.text.includes('name="logout"')) await browser.submit(page, "/logout/confirm", { logout: "yes" });
}

function agree(browser: Browser, start: Stop): Promise<Stop> {
  const { email, password } = PERSON;
  return walk(browser, start, { issuer: "", clientId: "", redirectUri: "", level: "write", email, password });
}

/** Opens the one-time link and becomes the administrator. */
export async function becomeAdministrator(link: string): Promise<void> {
  const form = await (await fetch(link)).text();
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? "";
  const body = new URLSearchParams({ token: hidden("token"), csrf: hidden("csrf"), ...PERSON });
  const done = await fetch(new URL("/setup", link), { method: "POST", body });
  if (!done.ok) throw new Error(`The one-time link did not work: ${await done.text()}`);
}
