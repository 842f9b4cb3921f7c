import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { type KeyFacts, RotateSigningKeys } from "../../documents/operation.ts";
import { ConfirmDialog } from "../../frame/form/confirm-dialog.tsx";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { Studio } from "../../ports.ts";
import { changeWords } from "../change-words.ts";
import { StateMark } from "../state-mark.tsx";
import { KEY_STATES } from "./setting-words.ts";

interface SigningKeysProps {
  readonly studio: Studio;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly keys: readonly KeyFacts[];
  readonly onChange: (keys: readonly KeyFacts[]) => void;
}

/** Keys that sign ID tokens, and their rotation. */
export function SigningKeys({ studio, heading, keys, onChange }: SigningKeysProps) {
  const isAsking = useSignal(false);
  return (
    <section class="section">
      <header class="page-head">
        <h2 ref={heading} tabIndex={-1}>
          Signing keys
        </h2>
        <button
          type="button"
          onClick={() => {
            isAsking.value = true;
          }}
        >
          Rotate keys
        </button>
      </header>
      <p class="lead">
        They sign ID tokens. Rotate them once a year, and whenever somebody who could read them leaves.
      </p>
      <table class="rows">
        <TableHead columns={["Key", "State", "Algorithm", "Created", "Signs from", "Published until"]} />
        <tbody>
          {keys.map((key) => (
            <tr key={key.kid}>
              <th scope="row" class="main">
                <code>{key.kid}</code>
              </th>
              <td>
                <StateMark tone={key.state === "SIGNING" ? "good" : "muted"}>{KEY_STATES[key.state]}</StateMark>
              </td>
              <td data-label="Algorithm">{key.algorithm}</td>
              <td data-label="Created">
                <Time value={key.createdAt} />
              </td>
              <td data-label="Signs from">
                <Time value={key.signsFrom} />
              </td>
              <td data-label="Published until">
                {key.publishedUntil === null ? "The next rotation" : <Time value={key.publishedUntil} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAsking.value && (
        <Rotation
          studio={studio}
          onChange={onChange}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
    </section>
  );
}

type RotationProps = Pick<SigningKeysProps, "studio" | "onChange"> & { readonly onClose: () => void };

function Rotation({ studio, onChange, onClose }: RotationProps) {
  const isLeaked = useSignal(false);
  // One for each of the two changes, so that trying again makes none twice.
  const keys = useMemo(() => ({ usual: crypto.randomUUID(), leaked: crypto.randomUUID() }), []);
  async function rotate(): Promise<void> {
    const { rotateSigningKeys } = await studio.api.run(
      RotateSigningKeys,
      { isLeaked: isLeaked.value },
      { key: isLeaked.value ? keys.leaked : keys.usual },
    );
    onChange(rotateSigningKeys?.signingKeys ?? []);
    studio.notify(
      isLeaked.value
        ? "The new keys sign within a second. The old ones are withdrawn."
        : "The new keys are published, and sign later. Nobody is interrupted.",
    );
  }
  return (
    <ConfirmDialog title="Rotate signing keys" action="Rotate keys" run={rotate} words={changeWords} onClose={onClose}>
      <p>
        {isLeaked.value
          ? "ID tokens that the old keys signed are rejected. Clients that check ID tokens may fail until they fetch the keys again. People stay signed in."
          : "The new keys are published now, and sign after every client has had time to fetch them. The old ones stay published for the tokens that they signed."}
      </p>
      <p class="choice">
        <input
          id="is-leaked"
          type="checkbox"
          checked={isLeaked.value}
          onChange={({ currentTarget }) => {
            isLeaked.value = currentTarget.checked;
          }}
        />
        <label for="is-leaked">A key has leaked: withdraw the old keys now</label>
      </p>
    </ConfirmDialog>
  );
}
