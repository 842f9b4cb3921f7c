import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { anUpstream } from "../authorization-server/upstreams/party.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { listUntil, openTestServer, PASSWORD, type TestServer } from "../security/authorization-server.ts";
import { somebody } from "../security/people.ts";
import { type Keycloak, lacksKeycloak, startKeycloak } from "./keycloak.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const CLIENT = { id: "content-api", secret: "a secret with : and & and %" };
const ADA = { username: "ada", email: "ada@acme.example", firstName: "Ada", lastName: "Lovelace" };
const MARY = { username: "mary", email: "mary@acme.example", firstName: "Mary", lastName: "Somerville" };
const PASSWORD_THERE = "seven grey geese at dusk";

/** Keycloak judges the sign-in at another service: a provider that others wrote. */
describe("a Keycloak as another service", { skip: lacksKeycloak() }, () => {
  let keycloak: Keycloak;
  let server: TestServer;
  let chromium: TestBrowser;
  let visitor: Visitor;
  before(async () => {
    keycloak = await startKeycloak();
    const issuer = `${keycloak.url}/realms/acme`;
    const upstream = anUpstream(issuer, {
      ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret, domains: ["acme.example"] },
    });
    server = await openTestServer({ upstreams: [upstream], privateHosts: ["localhost"] });
    await keycloak.administer("POST", "", { realm: "acme", enabled: true });
    await keycloak.administer("POST", "/acme/clients", {
      ...{ clientId: CLIENT.id, secret: CLIENT.secret, publicClient: false, frontchannelLogout: false },
      redirectUris: [`${server.issuer}/upstream/acme/callback`],
      attributes: {
        "backchannel.logout.url": `${server.issuer}/upstream/acme/logout`,
        "backchannel.logout.session.required": "true",
        "pkce.code.challenge.method": "S256",
      },
    });
    const credentials = [{ type: "password", value: PASSWORD_THERE, temporary: false }];
    for (const person of [ADA, MARY])
      await keycloak.administer("POST", "/acme/users", { ...person, emailVerified: true, enabled: true, credentials });
    chromium = await openBrowser();
    visitor = await openVisitor(chromium.browser);
  });
  after(async () => {
    await chromium?.close();
    await server?.close();
    await keycloak?.stop();
  });

  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  /** At Keycloak. @param username undefined where it knows who is asked once more */
  async function signInThere(page: Page, username?: string): Promise<void> {
    await page.locator("#password").fill(PASSWORD_THERE);
    if (username !== undefined) await page.locator("#username").fill(username);
    await page.locator("#kc-login").click();
  }

  async function continueWithAcme(page: Page): Promise<void> {
    await page.goto(`${server.issuer}/account`);
    await press(page, "Continue with ACME");
  }

  test("U63 an unknown identity is told so, is linked, and signs in", async () => {
    const { page } = visitor;
    const { id, email } = await somebody(server);
    await continueWithAcme(page);
    await signInThere(page, ADA.username);
    await heading(page, "Which account is yours?");
    await page.getByText("ACME knows you as ada@acme.example.", { exact: false }).waitFor();
    await page.goto(`${server.issuer}/account`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await press(page, "Sign in");
    await heading(page, "Your account");
    await page.goto(`${server.issuer}/account/links`);
    await press(page, "Link ACME");
    await page.getByText("The service is linked.").waitFor();
    assert.equal((await server.store.upstreamIdentities.listOf(id))[0]?.emailAtLink, ADA.email);
    await page.goto(`${server.issuer}/account`);
    await press(page, "Sign out");
    await continueWithAcme(page);
    await heading(page, "Your account");
  });

  test("U64 an address that Keycloak has verified makes an account", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await continueWithAcme(page);
    await signInThere(page, MARY.username);
    await heading(page, "Which account is yours?");
    assert.equal(await page.getByLabel("Your name").inputValue(), "Mary Somerville");
    await press(page, "Create an account");
    await heading(page, "Your account");
    await page.getByText(MARY.email).first().waitFor();
    await close();
  });

  test("U30 a step-up has Keycloak ask for the password again", async () => {
    const { page } = visitor;
    await page.goto(`${server.issuer}/account/step-up?for=links`);
    await press(page, "Continue with ACME");
    await signInThere(page);
    await heading(page, "Linked services");
  });

  test("U66 an administrator of Keycloak ends a session, or all of a person, and ours with it", async () => {
    const { page } = visitor;
    const [user] = (await keycloak.administer("GET", `/acme/users?username=${ADA.username}`)) as [{ id: string }];
    const sessions = (await keycloak.administer("GET", `/acme/users/${user.id}/sessions`)) as { id: string }[];
    for (const { id } of sessions) await keycloak.administer("DELETE", `/acme/sessions/${id}`);
    await signedOut(page, 1);
    await continueWithAcme(page);
    await signInThere(page, ADA.username);
    await heading(page, "Your account");
    await keycloak.administer("POST", `/acme/users/${user.id}/logout`);
    await signedOut(page, 2);
    assert.deepEqual(visitor.complaints, []);
  });

  async function signedOut(page: Page, times: number): Promise<void> {
    const isOurs = ({ detail }: { detail: string | null }) => detail === "signed out there: acme";
    await listUntil(server.store.audit, { event: "upstream" }, (all) => all.filter(isOurs).length >= times);
    await page.goto(`${server.issuer}/account`);
    await heading(page, "Sign in");
  }
});
