import { DeleteOwnClient, DisableOwnClient, type OwnClientFacts } from "../documents/developers.ts";
import { ConfirmDialog } from "../frame/form/confirm-dialog.tsx";
import type { Studio } from "../ports.ts";
import { changeFailureWords } from "./facts/words.ts";

interface EndingDialogProps {
  readonly studio: Studio;
  readonly client: OwnClientFacts;
  readonly onClose: () => void;
}

/** Asks before the client is locked out. */
export function DisableDialog({
  studio,
  client,
  onChanged,
  onClose,
}: EndingDialogProps & { readonly onChanged: (client: OwnClientFacts) => void }) {
  return (
    <ConfirmDialog
      title="Disable this client?"
      action="Disable client"
      words={changeFailureWords}
      onClose={onClose}
      run={async () => {
        const { disableOwnClient } = await studio.api.run(DisableOwnClient, { id: client.id });
        if (disableOwnClient?.client != null) onChanged(disableOwnClient.client);
      }}
    >
      <p>
        <strong dir="auto">{client.name}</strong> and all its tokens are rejected within a second. Nothing is deleted,
        and you can enable it again.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before the client is deleted, and says what breaks. */
export function DeleteDialog({ studio, client, onClose }: EndingDialogProps) {
  const hasPeople = !client.grantTypes.includes("CLIENT_CREDENTIALS");
  return (
    <ConfirmDialog
      title="Delete this client?"
      action="Delete client"
      typed={client.name.trim()}
      words={changeFailureWords}
      onClose={onClose}
      run={async () => {
        await studio.api.run(DeleteOwnClient, { id: client.id });
        studio.notify(`“${client.name}” is deleted.`);
        studio.go("/developers", { replace: true });
      }}
    >
      <ul class="stack-list">
        <li>The program that uses this client id stops working within a second.</li>
        {hasPeople && <li>Its tokens are rejected, so people who signed in with it have to stop there.</li>}
        {client.hasSecret && <li>Its secrets stop working.</li>}
        <li>Nobody can bring it back. A new client has another id.</li>
      </ul>
    </ConfirmDialog>
  );
}
