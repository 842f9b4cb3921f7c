import { isPrivate } from "../config/loopback.ts";
import { type Finding, good, warning, wrong } from "../diagnosis/finding.ts";
import { type Answer, ask, askMcp, wellKnown } from "./doctor-mcp-answer.ts";
import { checkAuthorizationServer } from "./doctor-mcp-authorization.ts";

/** Headers that clients in a browser send. */
const SENT = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];
/** The two eras of the protocol, and how each begins. */
const ERAS = [
  { revision: "2026-07-28", method: "server/discover" },
  { revision: "2025-11-25", method: "initialize" },
] as const;
const CLIENT = { name: "content-api doctor", version: "1" };

/**
 * Whether agents can find out how to sign in, seen from outside and without a token. Each finding that is not good says what clients
 * see, and what to do.
 *
 * @param typed the address as people give it to their client
 */
export async function checkMcp(typed: string): Promise<Finding[]> {
  if (!URL.canParse(typed) || !/^https?:$/.test(new URL(typed).protocol))
    return [wrong("address", `${typed} is no web address: give it as https://api.example.com/mcp`)];
  const [discover, initialize] = await Promise.all(ERAS.map((era) => begin(typed, era)));
  if (typeof discover === "string" || discover === undefined)
    return [wrong("address", `${typed} does not answer (${discover}): check the name, the certificate and the proxy`)];
  const findings = [checkAddress(typed, discover)];
  findings.push(checkBeginning("discover", discover), checkBeginning("initialize", initialize ?? "no answer"));
  const challenge = discover.headers.get("www-authenticate") ?? "";
  const metadataUrl = /\bresource_metadata="([^"]+)"/i.exec(challenge)?.[1] ?? null;
  findings.push(checkChallenge(challenge, metadataUrl));
  const { findings: ofResource, issuer } = await checkResource(typed, metadataUrl);
  findings.push(...ofResource, ...(await checkBrowsers(typed, discover)));
  if (issuer !== null) findings.push(...(await checkAuthorizationServer(issuer)));
  return findings;
}

function begin(url: string, { revision, method }: (typeof ERAS)[number]): Promise<Answer | string> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
  };
  const params =
    method === "initialize" ? { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT } : { _meta };
  return askMcp(url, method, revision, params);
}

function checkAddress(typed: string, { status, headers }: Answer): Finding {
  const check = "address";
  const location = headers.get("location");
  if (status >= 300 && status < 400)
    return wrong(
      check,
      `it redirects to ${location}: clients lose their token on the way, so give people that address`,
    );
  if (!isPrivate(typed)) return wrong(check, "it is not https: tokens would travel in the open");
  return good(check, `${typed} answers`);
}

/** Both eras: newer clients try the newer one first and fall back, older clients know the other one only. */
function checkBeginning(check: string, answer: Answer | string): Finding {
  if (typeof answer === "string") return wrong(check, `no answer (${answer})`);
  const { status } = answer;
  if (status === 401) return good(check, "it asks for a token");
  if (status === 200) return warning(check, "it answers without a token: clients will not ask people to sign in");
  if (status === 404 && check === "discover")
    return wrong(check, "it answers 404: set MCP=read or MCP=write, and check the path");
  if (status === 503) return warning(check, "it answers 503: agents are stopped, or the server is busy");
  return wrong(check, `it answers ${status} instead of 401: let the proxy pass POST requests on`);
}

function checkChallenge(challenge: string, metadataUrl: string | null): Finding {
  const check = "challenge";
  if (!/\bbearer\b/i.test(challenge))
    return wrong(check, "WWW-Authenticate is missing, so clients only say that they failed: let the proxy pass it on");
  if (metadataUrl === null)
    return wrong(
      check,
      "WWW-Authenticate has no resource_metadata, so clients do not find the sign-in: let the proxy pass it on whole",
    );
  const scope = /\bscope="([^"]*)"/i.exec(challenge)?.[1];
  if (scope === undefined)
    return warning(check, "it names no scope, so clients ask for all that there are: set MCP_SCOPES");
  return good(check, `it leads to ${metadataUrl}, for ${scope}`);
}

/** RFC 9728. Some clients follow the challenge, others only try the address that section 3.1 makes of the one they were given. */
async function checkResource(
  typed: string,
  metadataUrl: string | null,
): Promise<{ findings: Finding[]; issuer: string | null }> {
  const suffixed = wellKnown("oauth-protected-resource", typed);
  const findings: Finding[] = [];
  let issuer: string | null = null;
  const other = typed.endsWith("/") ? typed.replace(/\/+$/, "") : `${typed}/`;
  const [told, own, slash] = await Promise.all([
    metadataUrl === null ? null : ask(metadataUrl),
    ask(suffixed),
    ask(wellKnown("oauth-protected-resource", other)),
  ]);
  const found = [own, told].find((answer) => isMetadata(answer));
  if (metadataUrl !== null && !isMetadata(told))
    findings.push(wrong("metadata", `${metadataUrl} has none: the proxy must pass /.well-known/ on`));
  if (!isMetadata(own))
    findings.push(wrong("metadata", `${suffixed} has none, and some clients look only there: pass /.well-known/ on`));
  if (!isMetadata(found)) return { findings, issuer };
  if (findings.length === 0) findings.push(good("metadata", suffixed));
  const { resource, authorization_servers: servers, scopes_supported: scopes } = found.json;
  if (isMetadata(own) && own.json.resource !== typed)
    findings.push(
      wrong(
        "resource",
        `the metadata say ${own.json.resource}, and clients compare it with ${typed}: set BASE_URL, or give people the other address`,
      ),
    );
  else findings.push(good("resource", String(resource)));
  if (!isMetadata(slash) || slash.json.resource !== other)
    findings.push(
      warning("slash", `${other} is not known, and some clients add or drop a slash: let the proxy pass both forms on`),
    );
  if (Array.isArray(scopes) && scopes.includes("offline_access"))
    findings.push(warning("scopes", "scopes_supported has offline_access, for which agents must not be told to ask"));
  if (Array.isArray(servers) && typeof servers[0] === "string") issuer = servers[0];
  else findings.push(wrong("metadata", "authorization_servers is missing: clients do not know where to sign in"));
  return { findings, issuer };
}

function isMetadata(
  answer: Answer | string | null | undefined,
): answer is Answer & { json: NonNullable<Answer["json"]> } {
  return answer != null && typeof answer !== "string" && answer.status === 200 && answer.json !== null;
}

/** Clients in a browser, such as the MCP Inspector. */
async function checkBrowsers(typed: string, answered: Answer): Promise<Finding[]> {
  const check = "browsers";
  const { origin } = new URL(typed);
  const request = { "access-control-request-method": "POST", "access-control-request-headers": SENT.join(",") };
  const preflight = await ask(typed, { method: "OPTIONS", headers: { origin, ...request } });
  const posted = await askMcp(typed, ERAS[0].method, ERAS[0].revision, {}, { origin });
  if (typeof preflight === "string" || typeof posted === "string" || answered.status !== 401)
    return [{ check, result: "unchecked", detail: "whether clients in a browser can use it" }];
  const list = (answer: Answer, name: string) =>
    (answer.headers.get(name) ?? "")
      .toLowerCase()
      .split(",")
      .map((word) => word.trim());
  const allowed = list(preflight, "access-control-allow-headers");
  const missing = SENT.filter((name) => !allowed.includes(name));
  const fix = "let the proxy pass OPTIONS and the Access-Control headers on";
  if (missing.length > 0) return [warning(check, `clients in a browser may not send ${missing.join(", ")}: ${fix}`)];
  if (!list(posted, "access-control-expose-headers").includes("www-authenticate"))
    return [warning(check, `clients in a browser may not read WWW-Authenticate: ${fix}`)];
  return [good(check, "clients in a browser may call it")];
}
