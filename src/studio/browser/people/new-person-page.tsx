import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { failureWords } from "../api/failure-words.ts";
import { InvitePerson } from "../documents/invitations.ts";
import { AddPerson } from "../documents/people.ts";
import { SendRecovery } from "../documents/person.ts";
import { BackLink } from "../frame/back-link.tsx";
import { useTitle } from "../frame/document/title.ts";
import { TextField } from "../frame/form/field.tsx";
import { href } from "../frame/href.ts";
import type { PageProps } from "../page-props.ts";
import { ApiFailure, type Studio } from "../ports.ts";
import { Choices } from "./choices.tsx";
import { LinkNote } from "./link-note.tsx";
import { type NewPerson, newPersonErrors, type PersonErrors } from "./new-person.ts";
import { RetryKey } from "./retry-key.ts";
import { ROLES } from "./words.ts";

interface Added {
  /** null: an invitation. */
  readonly id: string | null;
  readonly name: string;
  readonly link: string | null;
  /** Set where there is an account, and no link. */
  readonly problem: string | null;
}

const WAYS = [
  {
    value: "invite",
    name: "Invite",
    help: "The person opens a link, and chooses a name and a password or passkey. The account exists from then on.",
  },
  {
    value: "create",
    name: "Create the account now",
    help: "You type the name, and vouch for the e-mail address. The person gets a link to choose a password.",
  },
] as const;

/** Invites a person, or creates the account and a link to it. */
export function NewPersonPage({ studio, query }: PageProps) {
  useTitle("Add a person");
  const added = useSignal<Added | null>(null);
  const role = ROLES.find(({ value }) => value === query.get("role"))?.value ?? "MEMBER";
  const first: NewPerson = { way: "invite", email: "", name: "", role };
  return (
    <>
      <BackLink to="/people">People</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>Add a person</h1>
      </header>
      {added.value === null ? (
        <PersonForm
          studio={studio}
          first={first}
          onAdded={(value) => {
            added.value = value;
          }}
        />
      ) : (
        <Done
          added={added.value}
          onAgain={() => {
            added.value = null;
          }}
        />
      )}
    </>
  );
}

interface PersonFormProps {
  readonly studio: Studio;
  readonly first: NewPerson;
  readonly onAdded: (added: Added) => void;
}

function PersonForm({ studio, first, onAdded }: PersonFormProps) {
  const person = useSignal(first);
  const errors = useSignal<PersonErrors>({});
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const [adding, linking] = useMemo(() => [new RetryKey(), new RetryKey()], []);
  const { way, email, name, role } = person.value;
  const set = (change: Partial<NewPerson>) => {
    person.value = { ...person.peek(), ...change };
    const { whole: _, ...rest } = errors.peek();
    errors.value = Object.fromEntries(Object.entries(rest).filter(([field]) => !Object.hasOwn(change, field)));
  };

  async function add(): Promise<Added> {
    const address = email.trim();
    if (way === "invite") {
      const input = { email: address, role };
      const { inviteAccount } = await studio.api.run(InvitePerson, { input }, { key: adding.for(input) });
      return { id: null, name: address, link: inviteAccount?.link ?? null, problem: null };
    }
    const input = { email: address, name: name.trim(), role };
    const { createAccount } = await studio.api.run(AddPerson, { input }, { key: adding.for(input) });
    const { id = "" } = createAccount?.account ?? {};
    try {
      const { sendRecovery } = await studio.api.run(SendRecovery, { id }, { key: linking.for(id) });
      return { id, name: input.name, link: sendRecovery?.link ?? null, problem: null };
    } catch (error) {
      return { id, name: input.name, link: null, problem: failureWords(error) };
    }
  }

  async function submit(): Promise<void> {
    if (isBusy.peek()) return;
    errors.value = newPersonErrors(person.peek());
    if (Object.keys(errors.peek()).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    isBusy.value = true;
    try {
      onAdded(await add());
    } catch (error) {
      const words = failureWords(error);
      const field = error instanceof ApiFailure ? (error.field?.replace(/^input\./, "") ?? "") : "";
      errors.value = field === "email" || field === "name" ? { [field]: words } : { whole: words };
    }
    isBusy.value = false;
  }

  return (
    <form
      ref={form}
      class="form stack section"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Choices legend="How" options={WAYS} value={way} onChange={(value) => set({ way: value })} />
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        error={errors.value.email}
        isRequired
        onInput={(value) => set({ email: value })}
      />
      {way === "create" && (
        <TextField
          label="Name"
          value={name}
          error={errors.value.name}
          maxLength={200}
          isRequired
          onInput={(value) => set({ name: value })}
        />
      )}
      <Choices legend="Role" options={ROLES} value={role} onChange={(value) => set({ role: value })} />
      {errors.value.whole !== undefined && (
        <p class="field-error" role="alert">
          {errors.value.whole}
        </p>
      )}
      <div>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            {way === "invite" ? "Invite" : "Create account"}
          </button>
          <a class="button" href={href("/people")}>
            Cancel
          </a>
        </div>
        <p class="hint">
          The server mails the link. A server that sends no mail shows it here once, for you to hand over.
        </p>
      </div>
    </form>
  );
}

function Done({ added, onAgain }: { readonly added: Added; readonly onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, name, link, problem } = added;
  return (
    <section class="form stack section">
      <h2 ref={heading} tabIndex={-1}>
        <bdi>{name}</bdi> {id === null ? "is invited" : "has an account"}
      </h2>
      {problem === null ? (
        <LinkNote name={name} link={link} lasts={id === null ? "7 days" : "24 hours"} />
      ) : (
        <p class="note danger" role="alert">
          The account was created, but the link was not: {problem} You can send the link from the page of the person.
        </p>
      )}
      <div class="actions">
        <a class="button" href={href(id === null ? "/people?view=invitations" : `/people/${id}`)}>
          {id === null ? "See invitations" : "Open the account"}
        </a>
        <button type="button" onClick={onAgain}>
          Add another person
        </button>
      </div>
    </section>
  );
}
