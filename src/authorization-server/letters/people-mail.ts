import type { PeopleMail } from "../../domain/people/people-mail.ts";
import { deletionParams } from "./deletion-letters.ts";
import type { LetterSettings } from "./letter-settings.ts";
import { linkTo } from "./links.ts";
import type { MailedSecrets } from "./mailed-secrets.ts";
import type { Outgoing } from "./outgoing.ts";

/** Seconds for which the link of an administrator is good (U71): the person may not be at hand. */
export const RECOVERY_BY_ADMINISTRATOR = 86_400;

export interface PeopleMailServices {
  readonly settings: Pick<LetterSettings, "AUTH_URL">;
  readonly outgoing: Outgoing;
  /** Opened when a link is to be shown: nothing else needs the installation's secret. */
  readonly secrets: () => MailedSecrets;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** The mails and links of administrators. A link that an administrator hands over proves no address (U18). */
export function openPeopleMail({ settings, outgoing, secrets, now }: PeopleMailServices): PeopleMail {
  const { AUTH_URL: issuer } = settings;

  return {
    isOn: outgoing.isOn,

    async invite({ id: invitationId, email, expiresAt }, way = "mailed") {
      if (outgoing.isOn && way === "mailed") {
        await outgoing.toAddress("invitation", email, { invitationId });
        return null;
      }
      const seconds = secondsUntil(expiresAt, now());
      const { secret } = await secrets().issue({
        ...{ purpose: "invitation", email, invitationId, provesEmail: false, seconds },
      });
      return linkTo(issuer, "invitation", secret);
    },

    async recover(user, way = "mailed") {
      if (outgoing.isOn && way === "mailed") {
        await outgoing.toPerson("recovery-by-administrator", user, user.email);
        return null;
      }
      const { id: userId, email, credentialVersion } = user;
      const { secret } = await secrets().issue({
        ...{ purpose: "recovery", email, userId, credentialVersion, provesEmail: false },
        seconds: RECOVERY_BY_ADMINISTRATOR,
      });
      return linkTo(issuer, "recovery", secret);
    },

    tellOfDeletion: (kind, user) => outgoing.notice(kind, user, { by: "administrator", ...deletionParams(user) }),

    async tellOfRecovery(user, administrators, isShown) {
      if (isShown) await outgoing.notice("recovery-told", user);
      for (const administrator of administrators)
        if (administrator.id !== user.id) await outgoing.notice("recovery-told", administrator, { name: user.name });
    },

    async tellOfSecondStep(user, administrators) {
      const by = "administrator";
      await outgoing.notice("second-step-off", user, { by });
      for (const administrator of administrators)
        if (administrator.id !== user.id)
          await outgoing.notice("second-step-off", administrator, { by, name: user.name });
    },

    tellOfLocalSignIn: (user) => outgoing.notice("local-sign-in", user, { state: user.localSignIn ? "on" : "off" }),

    tellOfUnlink: (user, service, account) =>
      outgoing.notice("upstream-unlinked", user, { service, ...(account === null ? {} : { account }) }),

    tellAdministrator: (user) => outgoing.notice("role-admin", user),

    async test(address, once) {
      const id = await outgoing.toAddress("test", address, {}, once);
      if (id === null) throw new Error("A server without mail has no test mail.");
      return id;
    },
  };
}

/** Whole seconds from now until an RFC 3339 time. */
export function secondsUntil(time: string, now: number): number {
  return Math.floor((Date.parse(time) - now) / 1_000);
}
