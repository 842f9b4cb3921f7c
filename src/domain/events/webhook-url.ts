import { badInput } from "../errors.ts";
import { assertText } from "../text.ts";

/**
 * Checks the form only. The IP address behind its name is checked at each call.
 *
 * @param privateHosts host names that may be called by plain http: `PRIVATE_HOSTS`
 * @throws AppError BAD_USER_INPUT naming `field`
 */
export function assertWebhookUrl(field: string, text: string, privateHosts: readonly string[]): void {
  assertText(field, text, { min: 1, max: 2_000 });
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw badInput(field, `${field} must be an https URL.`);
  if (url.username !== "" || url.password !== "") throw badInput(field, `${field} must not have user information.`);
  if (text.includes("#")) throw badInput(field, `${field} must not have a fragment.`);
  if (url.protocol === "http:" && !privateHosts.includes(url.hostname))
    throw badInput(field, `${field} must use https: plain http is for hosts that PRIVATE_HOSTS names.`);
}
