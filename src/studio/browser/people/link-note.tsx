import { SecretOnce } from "../frame/form/secret-once.tsx";

interface LinkNoteProps {
  /** Name or address of the person. */
  readonly name: string;
  /** null: the server mailed it. */
  readonly link: string | null;
  /** Such as "24 hours". */
  readonly lasts: string;
}

/** A one-time link, or the news that it was mailed. */
export function LinkNote({ name, link, lasts }: LinkNoteProps) {
  if (link === null)
    return (
      <p class="note link-note" role="status">
        <span>
          A mail with a link is on its way to <bdi>{name}</bdi>. The link is good for {lasts}.
        </span>
      </p>
    );
  return (
    <div class="stack link-note">
      <p role="status">
        This server sent no mail. Hand this link to <bdi>{name}</bdi> yourself. It is good for {lasts}, and opens the
        account to anybody who has it.
      </p>
      <SecretOnce label={`Link for ${name}`} secret={link} />
    </div>
  );
}
