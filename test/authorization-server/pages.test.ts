import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { accountPage } from "../../src/authorization-server/pages/account.ts";
import { nameBrowser } from "../../src/authorization-server/pages/browser-name.ts";
import { consentPage } from "../../src/authorization-server/pages/consent.ts";
import { errorPage } from "../../src/authorization-server/pages/error.ts";
import { html } from "../../src/authorization-server/pages/layout/html.ts";
import { layout, pageHeaders } from "../../src/authorization-server/pages/layout/layout.ts";
import { setUpDonePage, setUpPage } from "../../src/authorization-server/pages/set-up.ts";
import { signInPage } from "../../src/authorization-server/pages/sign-in.ts";
import { signOutPage } from "../../src/authorization-server/pages/sign-out.ts";
import { startPage } from "../../src/authorization-server/pages/start.ts";
import { openTimes } from "../../src/authorization-server/pages/times.ts";
import { DARK, LIGHT, type Palette } from "../../src/design/colors.ts";
import { SCOPES, sentenceOf } from "../../src/domain/scopes.ts";
import { LOGOUT_FORM, PAGES, PASSKEY_SCRIPT, SESSION } from "./every-page.ts";

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;
const HOSTILE_ESCAPED =
  "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;amp;";

/** The elements of a page as `<name attributes>`. */
function tags(page: string): readonly string[] {
  return page.match(/<[a-z][^>]*>/g) ?? [];
}

function input(page: string, name: string): string {
  const found = tags(page).find((tag) => tag.startsWith("<input") && tag.includes(` name="${name}"`));
  assert.ok(found, `a field ${name}`);
  return found;
}

describe("every page", () => {
  for (const [name, page] of Object.entries(PAGES)) {
    test(`A11 ${name}: whatever a model holds comes out as text`, () => {
      const fields = new Set<string>();
      const hostile = page((field) => {
        fields.add(field);
        return `${field}${HOSTILE}`;
      });
      const plain = page((field) => `${field}-plain`);
      for (const field of fields)
        assert.ok(hostile.includes(`${field}${HOSTILE_ESCAPED}`), `${field} is shown, escaped`);
      const names = (text: string) => tags(text).map((tag) => tag.split(/[\s>]/)[0]);
      assert.deepEqual(names(hostile), names(plain), "the same elements as with harmless text");
      assert.ok(!hostile.replaceAll(PASSKEY_SCRIPT, "").toLowerCase().includes("<script"));
    });

    test(`A11 ${name}: one stylesheet, no script but that of passkeys, no inline style or handler, nothing from elsewhere`, () => {
      const text = page((field) => field);
      assert.equal(text.match(/<style/g)?.length, 1);
      for (const tag of tags(text)) {
        if (tag === PASSKEY_SCRIPT) continue; // U38
        assert.doesNotMatch(tag, /^<(?:script|iframe|object|embed|base|img)\b/);
        assert.doesNotMatch(tag, /\s(?:style|on[a-z]+|src|srcset|formaction)=/);
        if (tag.startsWith("<link")) assert.match(tag, /href="data:image\/svg\+xml,/);
      }
    });

    test(`${name}: a document with language, viewport, both colour schemes, landmarks and one heading`, () => {
      const text = page((field) => field);
      assert.ok(text.startsWith("<!doctype html>\n<html lang="));
      for (const part of ['name="viewport"', 'name="color-scheme"', "<title>", "<header", "<main"]) {
        assert.equal(text.split(part).length, 2, part);
      }
      assert.equal(text.match(/<h1/g)?.length, 1);
    });

    test(`${name}: each label and each description points at an element, ids are unique`, () => {
      const text = page((field) => field);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
      assert.equal(new Set(ids).size, ids.length);
      for (const match of text.matchAll(/ (?:for|aria-describedby|form)="([^"]+)"/g)) {
        for (const id of match[1]?.split(" ") ?? []) assert.ok(ids.includes(id), id);
      }
      for (const tag of tags(text).filter((tag) => tag.startsWith("<input") && !tag.includes('type="hidden"'))) {
        assert.ok(text.includes(`<label for="${/ id="([^"]+)"/.exec(tag)?.[1]}">`), tag);
      }
    });

    test(`${name}: a button is one text or one element, because its parts lose the space between them`, () => {
      const text = page((field) => field);
      for (const [button] of text.matchAll(
        /<(button|a)\b[^>]*class="[^"]*(?:button|full|primary)[^"]*"[^>]*>[\s\S]*?<\/\1>/g,
      )) {
        const inside = button.slice(button.indexOf(">") + 1, button.lastIndexOf("<"));
        assert.match(inside, /^(?:[^<]*|<(\w+)\b(?:(?!<\/\1>)[\s\S])*<\/\1>)$/, button);
      }
    });

    test(`A12 ${name}: each form posts, and carries its own proof`, () => {
      const text = page((field) => field);
      for (const form of text.match(/<form[\s\S]*?<\/form>/g) ?? []) {
        assert.match(form, /^<form[^>]* method="post"/);
        if (!form.includes("op.logoutForm")) assert.match(form, /<input type="hidden" name="[cx]srf" value="csrf">/);
      }
    });
  }
});

describe("html", () => {
  test("A11 an object that looks like markup is no markup", () => {
    const forged = { toString: () => "<b>", markup: "<b>" } as unknown as string;
    assert.equal(html`${forged}`.toString(), "&lt;b&gt;");
  });

  test("nested markup and arrays pass through, empty values print nothing", () => {
    const items = ["a&b", "c"].map((text) => html`<li>${text}</li>`);
    assert.equal(
      html`<ul>${items}</ul>${null}${undefined}${false}${0}`.toString(),
      "<ul><li>a&amp;b</li><li>c</li></ul>0",
    );
  });
});

describe("page headers", () => {
  test("A11 the policy allows exactly the stylesheet that is sent", () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(layout({ title: "t", operator: "o" }, html``))?.[1] ?? "";
    assert.ok(style.length > 1000);
    const hash = createHash("sha256").update(style, "utf8").digest("base64");
    assert.ok(pageHeaders()["content-security-policy"]?.includes(`style-src 'sha256-${hash}'`));
  });

  test("A11 no framing, no store, no referrer, no sniffing", () => {
    const headers = pageHeaders();
    const policy = headers["content-security-policy"]?.split("; ") ?? [];
    for (const directive of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.includes(directive), directive);
    }
    assert.ok(!policy.join().includes("unsafe"));
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
  });

  test("form-action names where a redirect may lead: origins, private-use schemes, and http: for IPv6", () => {
    const formAction = (...uris: readonly string[]) =>
      /form-action ([^;]*)/.exec(pageHeaders({ formAction: uris })["content-security-policy"] ?? "")?.[1];
    assert.equal(
      formAction("https://a.example/cb?x=1", "https://a.example", "http://127.0.0.1:8080/cb"),
      "'self' https://a.example http://127.0.0.1:8080",
    );
    assert.equal(formAction("com.example.app:", "com.example.app:/cb"), "'self' com.example.app:");
    assert.equal(formAction("http://[::1]:8080/cb"), "'self' http:");
    assert.throws(() => formAction("not an address"), TypeError);
  });

  test("form-action cannot be widened by what a redirect URI holds", () => {
    for (const uri of [
      "https://a.example/; script-src *",
      "https://a.example/ *",
      "com.example.app:/, x; script-src *",
    ]) {
      const policy = pageHeaders({ formAction: [uri] })["content-security-policy"] ?? "";
      assert.ok(!policy.includes("*") && !policy.includes("script-src"), policy);
    }
    assert.throws(() => pageHeaders({ formAction: ["https://a.example;script-src *"] }), TypeError);
  });
});

describe("sign-in", () => {
  const links = { signUp: null, recover: "/recover" };
  const model = { operator: "Content API", action: "/interaction/1", csrf: "c", clientName: "Notebook", links };

  test("U10 U20 a way on for people who cannot sign in; to a new account only where people can have one", () => {
    assert.match(signInPage(model), /<a href="\/recover">Forgot the password\?<\/a>/);
    assert.doesNotMatch(signInPage(model), /Create an account/);
    const open = signInPage({ ...model, links: { ...links, signUp: "/sign-up" } });
    assert.match(open, /<a href="\/sign-up">Create an account<\/a>/);
  });

  test("fields that password managers know", () => {
    const page = signInPage(model);
    assert.match(input(page, "email"), /inputmode="email" autocomplete="username" autocapitalize="none"/);
    assert.match(input(page, "password"), /type="password" autocomplete="current-password"/);
    assert.match(page, /<form method="post" action="\/interaction\/1">/);
    assert.match(page, /Notebook<\/bdi><\/strong> asks you to sign in\./);
    assert.ok(!page.includes("Cancel") && !page.includes('role="alert"'));
    assert.match(signInPage({ ...model, cancel: { action: "/stop" } }), /action="\/stop">[\s\S]*>Cancel</);
    assert.match(signInPage({ ...model, clientName: null }), /Use your <bdi>Content API<\/bdi> account/);
  });

  test("A40 one error, tied to form and both fields alike, keeps the address and never the password", () => {
    const page = signInPage({ ...model, email: "ada@example.com", error: "They do not match." });
    assert.match(page, /id="sign-in-error" role="alert"/);
    assert.match(page, /<form[^>]* aria-describedby="sign-in-error"/);
    for (const name of ["email", "password"]) {
      assert.match(input(page, name), /aria-invalid="true" aria-describedby="sign-in-error"/);
    }
    assert.match(input(page, "email"), /value="ada@example.com"/);
    assert.doesNotMatch(input(page, "password"), /value=/);
    assert.match(input(page, "email"), / autofocus/, "the focus is in the first marked field");
    assert.doesNotMatch(input(page, "password"), / autofocus/);
  });
});

/** Under See and under Change. */
const SHOWN_TWICE: ReadonlySet<string> = new Set(["Your name"]);

describe("consent", () => {
  const model = {
    operator: "Content API",
    action: "/interaction/1",
    csrf: "c",
    question: "q",
    client: { name: "Notebook", redirectHost: "notebook.example", loopback: false, checked: true },
    person: { name: "Ada Lovelace", email: "ada@example.com" },
    switchAction: "/interaction/1/switch",
    // With another one, the changes would fold: see below.
    scopes: SCOPES.filter((scope) => scope !== "clients:own"),
    offline: true,
  };
  const section = (page: string, heading: string) =>
    new RegExp(`<section><h2>${heading}</h2><div><ul role="list">(.*?)</ul></div></section>`).exec(page)?.[1];

  test("who asks, as whom, and two equal answers", () => {
    const page = consentPage(model);
    for (const text of ["Notebook", "Returns to <bdi>notebook.example", "Ada Lovelace", "ada@example.com"]) {
      assert.ok(page.includes(text), text);
    }
    assert.match(page, /action="\/interaction\/1\/switch">.*Not you\?/);
    assert.match(page, /<button type="submit" name="decision" value="approve">Allow<\/button>/);
    assert.match(page, /<button type="submit" name="decision" value="deny">Deny<\/button>/);
  });

  test("every scope once, in plain words, under See or Change", () => {
    const page = consentPage(model);
    const text = page.replaceAll("&#39;", "'");
    for (const words of model.scopes.map(sentenceOf)) {
      const shown = words.replace(/^(?:See|Read|Change) (.)/, (_, first: string) => first.toUpperCase());
      assert.equal(text.split(`<li>${shown}</li>`).length, SHOWN_TWICE.has(shown) ? 3 : 2, words);
    }
    assert.equal(
      section(page, "Change"),
      `<li>${sentenceOf("admin")}</li><li>${sentenceOf("scim")}</li><li>Your name</li><li>${sentenceOf("posts:draft")}</li><li>${sentenceOf("posts:write")}</li>`,
      "the privileged first, and no verb twice",
    );
    assert.match(section(page, "See") ?? "", /<li>Your name<\/li>/);
    assert.match(section(page, "See") ?? "", /<li>Posts, and your drafts<\/li>/);
    const narrow = consentPage({ ...model, scopes: ["posts:read"] });
    assert.ok(!narrow.includes("<h2>Change") && !narrow.includes(sentenceOf("openid")));
  });

  test("S70 the scope for clients of one's own is a change, among the privileged that come first", () => {
    assert.match(
      consentPage({ ...model, scopes: SCOPES }),
      /<h2>Change<\/h2><div><ul role="list"><li>Register and change your own clients<\/li>.*<details><summary>1 more</,
    );
  });

  test("S70 who made a client of a person, and that nobody has checked it", () => {
    const client = { ...model.client, checked: false };
    assert.match(consentPage({ ...model, client }), /<strong>Not checked by <bdi>Content API<\/bdi>\.<\/strong>/);
    assert.match(
      consentPage({ ...model, client: { ...client, owner: "Grace" } }),
      /<strong>Made by <bdi>Grace<\/bdi>, not checked by <bdi>Content API<\/bdi>\.<\/strong> Allow only if/,
    );
  });

  test("the client's name is in title and heading, whatever its direction", () => {
    const page = consentPage(model);
    assert.match(page, /<title>Allow Notebook · Content API<\/title>/);
    assert.match(page, /<h1>Allow <bdi>Notebook<\/bdi> access to your account\?<\/h1>/);
    const long = consentPage({ ...model, client: { ...model.client, name: "N".repeat(200) } });
    assert.match(long, /<h1 class="long">/);
  });

  test("the scope admin has a warning of its own, and no other scope has it", () => {
    assert.match(consentPage(model), /class="note danger">.*This makes <bdi>Notebook<\/bdi> an administrator/);
    const others = SCOPES.filter((scope) => scope !== "admin");
    assert.doesNotMatch(consentPage({ ...model, scopes: others }), /an administrator\./);
  });

  test("more than five lines fold, and none is lost", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `https://${index}.example`);
    assert.doesNotMatch(consentPage({ ...model, elsewhere: lines(5) }), /<details>/);
    const page = consentPage({ ...model, elsewhere: lines(8) });
    const [, before = "", folded = ""] =
      /<h2>Also at<\/h2>(.*?)<details><summary>3 more<\/summary>(.*?)<\/details>/.exec(page) ?? [];
    assert.equal(before.match(/<li>/g)?.length, 5);
    assert.equal(folded.match(/<li>/g)?.length, 3);
  });

  test("a scope without words is named under Change", () => {
    assert.equal(
      section(consentPage({ ...model, scopes: ["x:y"] }), "Change"),
      "<li>Use the scope <code>x:y</code></li>",
    );
  });

  test("for how long", () => {
    assert.equal(section(consentPage(model), "How long"), `<li>${sentenceOf("offline_access")}</li>`);
    assert.match(section(consentPage({ ...model, scopes: [], offline: false }), "How long") ?? "", /A short time/);
  });

  test("A15 what will not be given is said", () => {
    const page = consentPage({ ...model, scopes: ["posts:read"], unavailableScopes: ["users:email"] });
    assert.match(page, /will not get:<\/p>\s*<ul[^>]*><li>See everyone&#39;s e-mail addresses<\/li><\/ul>/);
    assert.ok(!consentPage(model).includes("will not get"));
  });

  test("a self-registered client and an app on this device are marked", () => {
    assert.ok(!consentPage(model).includes("Not checked by"));
    const page = consentPage({ ...model, client: { ...model.client, loopback: true, checked: false } });
    assert.match(page, /Not checked by <bdi>Content API/);
    assert.match(page, /An app on this device/);
  });

  test("names that start with no letter still get a tile", () => {
    for (const [name, letter] of [
      ["notebook", "N"],
      ["مفكرة", "م"],
      ["a\u0301\u0302\u0303\u0304\u0305", "?"],
      ["   ", "?"],
    ] as const) {
      const page = consentPage({ ...model, client: { ...model.client, name } });
      assert.ok(page.includes(`<span class="letter title square" aria-hidden="true">${letter}</span>`), name);
    }
  });
});

describe("sign-out", () => {
  test("the buttons belong to the library's form; only the first ends the session", () => {
    const page = signOutPage({ operator: "o", form: LOGOUT_FORM, clientName: null });
    assert.ok(page.includes(LOGOUT_FORM.toString()));
    const buttons = tags(page).filter((tag) => tag.startsWith("<button"));
    assert.deepEqual(
      buttons.map((tag) => [tag.includes('form="op.logoutForm"'), tag.includes('name="logout" value="yes"')]),
      [
        [true, true],
        [true, false],
      ],
    );
  });
});

describe("account", () => {
  const model = {
    operator: "o",
    root: "/account",
    csrf: "c",
    person: {
      ...{ name: "Ada", email: "a@b.example", emailVerified: true },
      ...{ hasPassword: true, passwordSinceSeconds: null, passkeys: null, links: null },
    },
    mail: { canSend: true, isFailing: false },
    secondStep: {
      ...{ isOn: true, isDemanded: false, hasAuthenticator: true, isOffDuty: false },
      ...{ codesLeft: 4, passkeys: null },
    },
    events: [],
    sessions: [
      { ...SESSION, isCurrent: true, seen: { agent: "curl/8.0", address: "203.0.113.7", atSeconds: 1_769_860_800 } },
      { ...SESSION, id: "s2" },
    ],
    clients: [],
    given: [],
    times: openTimes(),
    note: null,
  };

  test("this browser is marked and signed out at the top; each other session has a button that says which it ends", () => {
    const page = accountPage(model);
    assert.match(page, /<strong>curl<\/strong> <span class="tag">This browser<\/span>/);
    assert.match(
      page,
      /<time datetime="2026-01-31T12:00:00.000Z" lang="en-GB" dir="auto">31 Jan 2026, 12:00 UTC<\/time> from <bdi>203/,
    );
    assert.equal(page.match(/end-session/g)?.length, 1);
    assert.match(page, /aria-label="End session: An unknown browser, signed in 1 Jan 1970, 00:16 UTC">End session</);
  });

  test("what was done is said, and that nothing was done", () => {
    for (const [note, words] of [
      ["session", /role="status">.*session has ended/],
      ["password", /role="status">.*password has changed/],
      ["stale", /class="note danger" role="status">.*Nothing was changed/],
    ] as const)
      assert.match(accountPage({ ...model, note }).replaceAll("\n", ""), words);
  });

  test("U44 a banner tells that few recovery codes are left while the second step is on", () => {
    const bannerOf = (codesLeft: number, isOn = true) =>
      /You have [^<]*recovery codes? left\. <a href="\/account\/second-step">Make new ones<\/a>/.exec(
        accountPage({ ...model, secondStep: { ...model.secondStep, codesLeft, isOn } }),
      )?.[0];
    assert.equal(bannerOf(4), undefined);
    assert.match(bannerOf(3) ?? "", /^You have 3 recovery codes left\./);
    assert.match(bannerOf(1) ?? "", /^You have 1 recovery code left\./);
    assert.match(bannerOf(0) ?? "", /^You have no recovery codes left\./);
    assert.equal(bannerOf(2, false), undefined);
  });

  test("times in the person's language and zone, by Accept-Language; the zone stands beside", () => {
    for (const [languages, text] of [
      [undefined, "31 Jan 2026, 12:00 UTC"],
      ["*", "31 Jan 2026, 12:00 UTC"],
      ["de-DE,de;q=0.9,en;q=0.5", "31. Jan. 2026, 13:00 MEZ"],
      ["de", "31. Jan. 2026, 13:00 MEZ"],
      ["fr;q=0.3, ja-JP", "2026年1月31日 21:00 JST"],
      ["en-US", "Jan 31, 2026, 12:00 PM UTC"],
      ["zz-ZZ, q, ;;, de-1996-1996, en-GB;q=1", "31 Jan 2026, 12:00 GMT"],
      ["en-GB-u-nu-thai", "31 Jan 2026, 12:00 GMT"],
      [`${"a".repeat(9_000)},de`, "31. Jan. 2026, 13:00 MEZ"],
    ] as const)
      assert.equal(openTimes(languages).text(1_769_860_800).replaceAll("\u202f", " "), text, languages);
    assert.match(
      openTimes("de").element(0).toString(),
      /^<time datetime="1970-01-01T00:00:00.000Z" lang="de" dir="auto">/,
    );
  });

  test("browsers by the names that people know", () => {
    const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    for (const [agent, name] of [
      [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, "Chrome on Windows"],
      [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0`, "Edge on Windows"],
      ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"],
      [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1",
        "Safari on iPhone",
      ],
      ["Mozilla/5.0 (X11; Linux x86_64)", "A browser on Linux"],
      ["", "An unknown browser"],
    ] as const)
      assert.equal(nameBrowser(agent), name);
  });
});

describe("error", () => {
  const model = { operator: "o", title: "This page has expired", message: "Nothing was lost." };

  test("leads on only to the web", () => {
    const leads = (href: string) =>
      errorPage({ ...model, next: { label: "Start again", href } }).includes("Start again");
    for (const href of ["/", "/authorize?x=1", "https://a.example/", "http://localhost:1/"])
      assert.ok(leads(href), href);
    for (const href of ["javascript:alert(1)", "data:text/html,x", "//a.example", "/\\a.example", "x"]) {
      assert.ok(!leads(href), href);
    }
  });

  test("shows the request id when there is one, and takes no focus", () => {
    assert.match(errorPage({ ...model, requestId: "r-1" }), /Request id <code>r-1<\/code>/);
    const page = errorPage(model);
    assert.ok(!page.includes("Request id") && !page.includes("autofocus"));
  });
});

describe("set-up", () => {
  const model = {
    operator: "o",
    action: "/set-up",
    token: "t-1",
    csrf: "c",
    values: { name: "", email: "" },
    errors: {},
  };

  test("fields, names and the length in words", () => {
    const page = setUpPage(model);
    assert.match(input(page, "token"), /type="hidden" name="token" value="t-1"/);
    assert.match(input(page, "name"), /autocomplete="name"/);
    assert.match(input(page, "email"), /autocomplete="username"/);
    assert.match(
      input(page, "password"),
      /autocomplete="new-password" minlength="15"[^>]*aria-describedby="password-hint"/,
    );
    assert.match(page, /At least 15 characters/);
    assert.ok(!page.includes('role="alert"'));
  });

  test("an error stands at its field, and a summary says that nothing was saved", () => {
    const page = setUpPage({ ...model, errors: { password: "Too short." } });
    assert.match(input(page, "password"), /aria-describedby="password-error password-hint" aria-invalid="true"/);
    assert.doesNotMatch(input(page, "email"), /aria-invalid/);
    assert.match(page, /role="alert">.*Nothing was saved yet\. Correct the marked field and/);
    assert.match(input(page, "password"), / autofocus/);
    const two = setUpPage({ ...model, errors: { email: "No address.", password: "Too short." } });
    assert.equal(two.match(/ autofocus/g)?.length, 1);
    assert.match(input(two, "email"), / autofocus/);
    assert.match(two, /<form[^>]* novalidate/, "the browser would show one error at a time");
  });

  test("S01 afterwards: the studio, the explorer, the command and the discovery address", () => {
    const model = {
      operator: "o",
      baseUrl: "http://a.example",
      hasStudio: true,
      person: { name: "Ada", email: "a@b.example" },
      command: "DATABASE_URL=sqlite:./a.db bin/content-api",
    };
    const page = setUpDonePage(model);
    assert.ok(page.includes('href="http://a.example/studio"'));
    assert.doesNotMatch(setUpDonePage({ ...model, hasStudio: false }), /studio/i);
    assert.ok(page.includes('href="http://a.example/graphql"'));
    assert.ok(page.includes('href="http://a.example/.well-known/openid-configuration"'));
    assert.ok(
      page.includes(
        `<code>DATABASE_URL=sqlite:./a.db bin/content-api client create --name &quot;My app&quot; --redirect-uri http://localhost:8080/callback --public</code>`,
      ),
    );
  });
});

describe("start", () => {
  const model = {
    operator: "o",
    baseUrl: "https://a.example",
    issuer: "https://id.example/t",
    hasStudio: true,
    hasDocs: false,
    hasAgents: true,
    state: "ready",
    demo: false,
    isOpen: false,
    command: "bin/content-api",
    person: null,
  } as const;

  test("every address, with the well-known part where its RFC puts it", () => {
    const page = startPage(model);
    for (const address of [
      "https://a.example/graphql",
      "https://id.example/t/.well-known/openid-configuration",
      "https://id.example/.well-known/oauth-authorization-server/t",
      "https://a.example/.well-known/oauth-protected-resource/graphql",
    ]) {
      assert.ok(page.includes(`<a href="${address}">${address}</a>`), address);
    }
    assert.match(page, /Authorization: Bearer ACCESS_TOKEN/);
    assert.ok(!page.includes("One step left") && !page.includes("Demo data"));
  });

  test("a stranger is asked to sign in, a person is greeted, and an administrator sees the commands", () => {
    const stranger = startPage(model);
    const person = startPage({ ...model, person: { name: "Ada", isAdministrator: false } });
    const administrator = startPage({ ...model, person: { name: "Ada", isAdministrator: true } });
    assert.match(stranger, /href="https:\/\/id\.example\/t\/account">Sign in</);
    assert.doesNotMatch(stranger, /sign-up/);
    assert.match(startPage({ ...model, isOpen: true }), /href="https:\/\/id\.example\/t\/sign-up">Create an account</);
    for (const page of [person, administrator]) {
      assert.match(page, /<h1>Hello, <bdi>Ada<\/bdi><\/h1>/);
      assert.match(page, />Your account<\/a>/);
      assert.doesNotMatch(page, />Sign in</);
    }
    for (const page of [stranger, person]) assert.doesNotMatch(page, /bin\/content-api|administrator\./);
    assert.match(administrator, /bin\/content-api client create/);
    assert.match(administrator, /bin\/content-api doctor/);
    for (const page of [stranger, person, administrator])
      assert.match(page, /href="https:\/\/a\.example\/graphql\?docs"/);
  });

  test("says where the set-up link is, and that demo data is demo data", () => {
    assert.match(startPage({ ...model, state: "needs-set-up" }), /terminal that runs this service/);
    assert.match(startPage({ ...model, demo: true }), /Demo data/);
  });

  test("S01 leads to the studio where there is one", () => {
    const person = { name: "Ada", isAdministrator: false };
    assert.match(startPage(model), /<a class="button" href="https:\/\/a\.example\/studio">Open the studio</);
    assert.match(startPage({ ...model, person }), /<a class="button primary" href="https:\/\/a\.example\/studio">/);
    const without = startPage({ ...model, person, hasStudio: false });
    assert.doesNotMatch(without, /studio/i);
    assert.match(without, /<a class="button primary" href="https:\/\/a\.example\/graphql">Open the explorer</);
  });

  test("D07 leads to the pages for developers of clients where there are some", () => {
    assert.match(startPage({ ...model, hasDocs: true }), /<a href="https:\/\/a\.example\/docs">/);
    assert.doesNotMatch(startPage(model), /example\/docs"/);
  });

  test("names the endpoint for agents where there is one", () => {
    assert.match(startPage(model), /<code>https:\/\/a\.example\/mcp<\/code>/);
    assert.doesNotMatch(startPage({ ...model, hasAgents: false }), /mcp/);
  });
});

describe("contrast", () => {
  const TEXT: readonly (readonly [keyof Palette, keyof Palette])[] = [
    ["ink", "paper"],
    ["ink", "card"],
    ["ink", "quiet"],
    ["muted", "paper"],
    ["muted", "card"],
    ["accent", "paper"],
    ["accent", "card"],
    ["accent", "quiet"],
    ["onAccent", "accent"],
    ["danger", "card"],
    ["danger", "dangerQuiet"],
  ];
  const CONTROLS: typeof TEXT = [
    ["control", "card"],
    ["control", "paper"],
    ["accent", "card"],
    ["danger", "card"],
    ["good", "card"],
  ];

  for (const [scheme, palette] of Object.entries({ LIGHT, DARK })) {
    test(`${scheme}: text at least 4.5, controls at least 3`, () => {
      for (const [pairs, least] of [[TEXT, 4.5] as const, [CONTROLS, 3] as const]) {
        for (const [front, back] of pairs) {
          const ratio = contrast(palette[front], palette[back]);
          assert.ok(ratio >= least, `${front} on ${back}: ${ratio.toFixed(2)}`);
        }
      }
    });
  }

  test("the measure is right: black on white is 21", () => {
    assert.equal(contrast("#000000", "#ffffff"), 21);
  });
});

/** WCAG 2.2, "contrast ratio". */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
