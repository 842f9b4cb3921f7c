import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export const ADA = { name: "Ada Lovelace", email: "ada@example.com", password: "nine quiet herons over a mill" };

/** A person at a browser of their own: fresh cookies, and a record of what the pages did. */
export interface Visitor {
  readonly page: Page;
  /** Hosts that any page asked for anything, such as `localhost:4000`. */
  readonly hosts: ReadonlySet<string>;
  /** Scripts that threw, and what the pages' own policies refused. */
  readonly complaints: readonly string[];
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
  close(): Promise<void>;
}

export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.host !== "") hosts.add(url.host);
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
  return {
    page: await context.newPage(),
    hosts,
    complaints,
    newTab: () => context.newPage(),
    close: () => context.close(),
  };
}

/** The same person at another tab, which `close` closes: whoever has signed in has done so here too. */
export async function openTab(visitor: Visitor): Promise<Visitor> {
  const page = await visitor.newTab();
  return { ...visitor, page, close: () => page.close() };
}

/** Opens the one-time link and becomes the first administrator. */
export async function becomeAdministrator(page: Page, setUpUrl: string): Promise<void> {
  await page.goto(setUpUrl);
  await page.getByLabel("Your name").fill(ADA.name);
  await page.getByLabel("E-mail address").fill(ADA.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: `Ready, ${ADA.name}` }).waitFor();
}

/** Fills in the sign-in page that is open or about to open. */
export async function signIn(page: Page, password: string = ADA.password): Promise<void> {
  await page.getByLabel("E-mail address").fill(ADA.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
