import { useSignal } from "@preact/signals";
import { failureWords } from "../../api/failure-words.ts";
import { ChangeRole, DeletePerson, KeepPerson, ResetSecondStep } from "../../documents/person.ts";
import { ConfirmDialog } from "../../frame/form/confirm-dialog.tsx";
import { saveFile } from "../../frame/save-file.ts";
import { exactTime } from "../../frame/text/time-words.ts";
import { ApiFailure, type Studio } from "../../ports.ts";
import { Choices } from "../choices.tsx";
import { peopleList } from "../people-list.ts";
import { ROLES, roleName } from "../words.ts";
import type { Account, PersonModel } from "./person-model.ts";
import { type PlainStep, questionOf, type Step } from "./steps.ts";

interface StepProps {
  readonly studio: Studio;
  readonly model: PersonModel;
  readonly account: Account;
  readonly onClose: () => void;
}

interface StepDialogProps extends StepProps {
  readonly step: Step;
  /** @param link to hand over; null: mailed */
  readonly onLink: (link: string | null) => void;
}

/** The question before a change of the account. */
export function StepDialog({ step, onLink, ...props }: StepDialogProps) {
  if (step.kind === "role") return <RoleDialog {...props} />;
  if (step.kind === "second-step") return <SecondStepDialog {...props} />;
  if (step.kind === "export") return <ExportDialog {...props} />;
  if (step.kind === "delete") return <DeleteDialog {...props} />;
  return <PlainDialog {...props} step={step} onLink={onLink} />;
}

type PlainDialogProps = Omit<StepDialogProps, "step"> & { readonly step: PlainStep };

function PlainDialog({ studio, model, account, step, onLink, onClose }: PlainDialogProps) {
  const question = questionOf(step, account, studio.person.value.id === account.id);
  return (
    <ConfirmDialog
      title={question.title}
      action={question.action}
      words={failureWords}
      onClose={onClose}
      run={async () => {
        const link = await question.run(model);
        if (step.kind === "recovery") onLink(link);
        else studio.notify(question.done);
      }}
    >
      {question.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

function RoleDialog({ studio, model, account, onClose }: StepProps) {
  const role = useSignal(account.role);
  return (
    <ConfirmDialog
      title={`Change the role of ${account.name}`}
      action="Change role"
      words={failureWords}
      onClose={onClose}
      run={async () => {
        if (role.value === account.role) throw new ApiFailure({ kind: "bad-input", message: "Choose another role." });
        await model.change(ChangeRole, { id: account.id, role: role.value });
        studio.notify(`The role of ${account.name} is now ${roleName(role.value)}.`);
      }}
    >
      <Choices
        legend="Role"
        options={ROLES}
        value={role.value}
        onChange={(value) => {
          role.value = value;
        }}
      />
      <p>
        The change counts within a second, for sessions and clients that are there already.
        {account.role === "ADMIN" && " Invitations by this person are withdrawn."}
        {account.role !== "ADMIN" && role.value === "ADMIN" && " A mail tells the person, if this server sends mail."}
      </p>
    </ConfirmDialog>
  );
}

function SecondStepDialog({ studio, model, account, onClose }: StepProps) {
  const passkeys = useSignal(false);
  return (
    <ConfirmDialog
      title={`Reset the second step of ${account.name}?`}
      action="Reset second step"
      words={failureWords}
      onClose={onClose}
      run={async () => {
        await model.change(ResetSecondStep, { id: account.id, passkeys: passkeys.value });
        studio.notify(`${account.name} signs in without a second step now.`);
      }}
    >
      <p>
        The authenticator app and the recovery codes are removed, so that the password is enough. Check who is asking
        first. If this server sends mail, mails tell the person and all administrators.
      </p>
      <div class="choice">
        <input
          id="reset-passkeys"
          type="checkbox"
          checked={passkeys.value}
          onChange={({ currentTarget }) => {
            passkeys.value = currentTarget.checked;
          }}
        />
        <label for="reset-passkeys">Remove passkeys too, and sign the person out everywhere</label>
      </div>
    </ConfirmDialog>
  );
}

function ExportDialog({ studio, model, account: { id, name }, onClose }: StepProps) {
  return (
    <ConfirmDialog
      title={`Download everything about ${name}?`}
      action="Download"
      words={failureWords}
      onClose={onClose}
      run={async () => {
        saveFile(`account-${id}.json`, await model.export(), "application/json");
        studio.notify(`Everything about ${name} is in the file.`);
      }}
    >
      <p>
        The file has drafts, sessions and security events too, but no password, key or token. Keep it safe, and give it
        to this person only. The audit keeps that you downloaded it.
      </p>
    </ConfirmDialog>
  );
}

const POSTS = [
  { value: "KEEP", name: "Keep them", help: "They stay as they are, by “Former member”." },
  { value: "DELETE", name: "Delete them", help: "They go with the account, drafts too." },
] as const;

function DeleteDialog({ studio, model, account, onClose }: StepProps) {
  const posts = useSignal<"KEEP" | "DELETE">("KEEP");
  const { id, name } = account;
  async function keep(): Promise<void> {
    try {
      await model.change(KeepPerson, { id });
      studio.notify(`The account of ${name} is kept.`);
      await peopleList(studio.api).reload();
    } catch (error) {
      studio.notify(`The account of ${name} was not kept: ${failureWords(error)}`);
    }
  }
  return (
    <ConfirmDialog
      title={`Delete the account of ${name}?`}
      action="Delete account"
      typed={name.trim()}
      words={failureWords}
      onClose={onClose}
      run={async () => {
        const { deleteAccount } = await model.change(DeletePerson, { id, posts: posts.value });
        const at = deleteAccount?.account?.deletesAt;
        const when = at == null ? "soon" : exactTime(at);
        studio.go("/people");
        studio.notify(`The account of ${name} will be deleted ${when}.`, { label: "Undo", run: keep });
      }}
    >
      <p>
        Sessions, tokens and the access of clients end immediately, and clients that the person owns stop. Everybody
        sees the name “Former member”.
      </p>
      <p>
        The account is gone for good after the time that <code>DELETION_DELAY</code> sets, usually 7 days. Until then
        you can keep it here, and the person by signing in. Sessions and access do not come back.
      </p>
      <Choices
        legend="Posts"
        options={POSTS}
        value={posts.value}
        onChange={(value) => {
          posts.value = value;
        }}
      />
    </ConfirmDialog>
  );
}
