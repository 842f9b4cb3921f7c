import { type Finding, good, warning, wrong } from "../diagnosis/finding.ts";
import { type Answer, ask, wellKnown } from "./doctor-mcp-answer.ts";

type Metadata = NonNullable<Answer["json"]>;

/** Whether agents can introduce themselves to the authorization server and get tokens. @param issuer as the resource's metadata name it */
export async function checkAuthorizationServer(issuer: string): Promise<Finding[]> {
  const check = "sign-in";
  const places = [
    wellKnown("oauth-authorization-server", issuer),
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  ];
  const answers = await Promise.all(places.map((place) => ask(place)));
  const found = answers.find((answer) => typeof answer !== "string" && answer.status === 200 && answer.json !== null);
  if (typeof found !== "object" || found.json === null)
    return [wrong(check, `${places[0]} has no metadata: the proxy must pass /.well-known/ on`)];
  const metadata = found.json;
  if (metadata.issuer !== issuer)
    return [wrong(check, `its metadata say the issuer ${metadata.issuer}, not ${issuer}: set AUTH_URL`)];
  return [good(check, issuer), checkCodes(metadata), checkIntroductions(metadata), await checkToken(metadata)];
}

function checkCodes(metadata: Metadata): Finding {
  const check = "codes";
  if (!listed(metadata, "code_challenge_methods_supported").includes("S256"))
    return wrong(check, "code_challenge_methods_supported lacks S256: clients refuse to go on without PKCE");
  if (metadata.authorization_response_iss_parameter_supported !== true)
    return warning(
      check,
      "authorization_response_iss_parameter_supported is not true: clients cannot tell servers apart (RFC 9207)",
    );
  return good(check, "PKCE with S256, and iss in the answer");
}

/** A client gets its id by a document at its own address, or by registration. */
function checkIntroductions(metadata: Metadata): Finding {
  const check = "clients";
  const hasDocuments = metadata.client_id_metadata_document_supported === true;
  const hasNone = listed(metadata, "token_endpoint_auth_methods_supported").includes("none");
  const registers = typeof metadata.registration_endpoint === "string";
  if (!hasDocuments && !registers)
    return wrong(
      check,
      "no client can introduce itself: set CLIENT_DOCUMENTS=true or REGISTRATION=open, or register each by hand",
    );
  if (hasDocuments && !hasNone)
    return wrong(
      check,
      "token_endpoint_auth_methods_supported lacks none: Claude then ignores client documents and registers, or gives up",
    );
  if (!hasDocuments)
    return warning(check, "they must register: set CLIENT_DOCUMENTS=true for Claude, ChatGPT and VS Code");
  if (!registers)
    return warning(
      check,
      "clients with a document can connect; Cursor, Gemini CLI and Codex need REGISTRATION=open or a client that you register",
    );
  return good(check, "by documents and by registration");
}

/** A request without anything in it, as from a browser: an error in JSON, and no page of a firewall. */
async function checkToken({ token_endpoint: endpoint }: Metadata): Promise<Finding> {
  const check = "token endpoint";
  if (typeof endpoint !== "string") return wrong(check, "token_endpoint is missing");
  const answer = await ask(endpoint, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
    body: "grant_type=authorization_code",
  });
  if (typeof answer === "string")
    return wrong(check, `${endpoint} does not answer (${answer}): the proxy must pass it on`);
  if (answer.status >= 300 && answer.status < 400)
    return wrong(check, `it redirects to ${answer.headers.get("location")}: clients do not follow`);
  if (typeof answer.json?.error !== "string")
    return wrong(
      check,
      `it answers ${answer.status} with a page instead of JSON: take it out of the firewall's or proxy's own checks`,
    );
  return good(check, "it answers in JSON");
}

function listed(metadata: Metadata, name: string): readonly unknown[] {
  const value = metadata[name];
  return Array.isArray(value) ? value : [];
}
