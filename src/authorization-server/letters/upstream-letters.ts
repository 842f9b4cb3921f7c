import type { Composer, Composers } from "./composer.ts";
import { notice } from "./notice-letters.ts";

/** `params.state` is `on` or `off`. */
const localLetter: Composer = (mail, services) => {
  const letter =
    mail.params.state === "on"
      ? notice(
          "You can sign in here by yourself",
          "You can sign in here by yourself",
          "Your organization signs in with another service. An operator made an exception for your account: your password and passkeys work again.",
        )
      : notice(
          "You sign in with another service again",
          "You sign in with another service again",
          "An operator ended the exception for your account. From now on you sign in with the service of your organization.",
        );
  return letter(mail, services);
};

/** Mails about sign-in with other services (U54). `params.service` is the name of the service, `params.account` the account there. */
export const UPSTREAM_LETTERS: Composers = {
  "upstream-linked": notice(
    "A service was linked to your account",
    "A service was linked to your account",
    "Anybody who can sign in there with this account can sign in as you.",
    "link",
  ),
  "upstream-unlinked": notice(
    "A service was unlinked from your account",
    "A service was unlinked from your account",
    "Nobody can sign in to your account with it any more.",
    "link",
  ),
  "local-sign-in": localLetter,
};
