import { browserDevice } from "./browser-device.ts";
import { isUnsent, type LocalDraft } from "./local-draft.ts";

/**
 * Texts of a person that this device has and the server may lack, newest first. A browser that keeps nothing has none.
 *
 * @throws DOMException where there are texts and they cannot be read: nobody may take that for none
 */
export async function unsent(personId: string): Promise<LocalDraft[]> {
  const drafts = await browserDevice().list();
  return drafts
    .filter((draft) => draft.personId === personId && isUnsent(draft))
    .sort((one, other) => other.changedAt - one.changedAt);
}

/** Names of other people whose unsent texts this device holds. Their texts are shown to nobody else (S06). */
export async function othersWithTexts(personId: string): Promise<string[]> {
  const drafts = await browserDevice()
    .list()
    .catch(() => []);
  return [
    ...new Set(
      drafts.filter((draft) => draft.personId !== personId && isUnsent(draft)).map(({ personName }) => personName),
    ),
  ];
}

/** Removes everything of a person from this browser. For sign-out. */
export function wipe(personId: string): Promise<void> {
  return browserDevice().wipe(personId);
}
