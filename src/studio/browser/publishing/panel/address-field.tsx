import { useComputed } from "@preact/signals";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { slugOf } from "../../../../domain/posts/rendering.ts";
import { openLatest } from "../../api/latest.ts";
import { SlugOwner } from "../../documents/publishing.ts";
import { Dialog } from "../../frame/dialog.tsx";
import type { Studio, Writing } from "../../ports.ts";
import { addressParts, publishedSlug, slugFault, slugFromTyping, wasPublished } from "../address.ts";

interface AddressFieldProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Milliseconds after the last key. */
const WAIT = 300;

/** The address of the post, of which the person may choose the last part. */
export function AddressField({ studio, writing }: AddressFieldProps) {
  const id = useId();
  const post = writing.post.value;
  const title = useComputed(() => writing.texts.value.title).value;
  const chosen = useComputed(() => writing.texts.value.slug).value;
  const [typed, setTyped] = useState<string | null>(null);
  const [owner, setOwner] = useState<string | null>(null);
  const [unchecked, setUnchecked] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const isKnown = post !== null && wasPublished(post);
  const current = publishedSlug(
    { title, slug: chosen },
    post,
    writing.applied.value?.title ?? null,
    title.trim() === "" ? null : slugOf(title),
  );
  const { postUrl } = studio.server.value;
  const { before, after, hasSlug } = addressParts(postUrl, writing.id.value);

  const latest = useMemo(() => {
    /** A draft takes the slug while it is typed. Readers may know that of a published post, so the person is asked first. */
    function accept(slug: string): void {
      const now = writing.post.value;
      if (now !== null && wasPublished(now)) return;
      writing.change({ slug });
    }
    return openLatest<string, string | null>({
      wait: WAIT,
      run: async (slug, signal) => {
        const { postBySlug } = await studio.api.run(SlugOwner, { slug }, { signal });
        return postBySlug !== null && postBySlug.id !== writing.id.value ? postBySlug.title : null;
      },
      show: (title, slug) => {
        setOwner(title);
        setUnchecked(null);
        if (title === null) accept(slug);
      },
      fail: (_, slug) => {
        setUnchecked("The server cannot check this address now. It will be checked before publishing.");
        accept(slug);
      },
    });
  }, [studio, writing]);
  useEffect(() => () => latest.close(), [latest]);

  function type(value: string): void {
    const slug = slugFromTyping(value);
    setTyped(slug);
    setOwner(null);
    setUnchecked(null);
    latest.close();
    if (slug === "") {
      if (!isKnown) writing.change({ slug: null });
    } else if (slugFault(slug) === null) latest.ask(slug);
  }

  function leave(): void {
    const slug = typed;
    if (slug === null || fault !== null || owner !== null) return;
    setTyped(null);
    if (slug === "" || slug === current) return;
    if (isKnown) setAsked(slug);
  }

  const fault = typed === null || typed === "" ? null : slugFault(typed);
  const problem = fault ?? (owner === null ? null : `“${owner}” has this address already. Choose another one.`);
  const hint = isKnown
    ? "If you change it, the old address keeps leading to this post."
    : chosen === null
      ? "It follows the title until the post is published."
      : "You chose it. Empty the field to let it follow the title again.";
  return (
    <section>
      <h2>
        <label for={id}>Address</label>
      </h2>
      <input
        id={id}
        class="address-slug"
        dir="auto"
        value={typed ?? current}
        placeholder={slugOf(title)}
        readOnly={writing.isReadOnly.value}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem ${postUrl === null ? "" : `${id}-whole `}${id}-hint`}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === "Escape") setTyped(null);
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault(); // The rest of the key would press the first button of the dialog that opens.
          leave();
        }}
      />
      <p id={`${id}-problem`} class="field-error" aria-live="polite">
        {problem ?? unchecked}
      </p>
      {postUrl !== null && (
        <p id={`${id}-whole`} class="address-whole muted">
          {hasSlug ? (
            <>
              {before}
              <strong dir="auto">{typed ?? current}</strong>
              {after}
            </>
          ) : (
            before
          )}
        </p>
      )}
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
      {asked !== null && (
        <Dialog title="Change the address of this post?" onClose={() => setAsked(null)}>
          <div class="publish">
            <p>
              Readers may know the address <strong>{current}</strong>. It keeps leading to this post, and no other post
              can get it.
            </p>
            <p>
              The new address is <strong>{asked}</strong>. It is part of your next update.
            </p>
            <div class="dialog-actions">
              <button type="button" onClick={() => setAsked(null)}>
                Keep the old one
              </button>
              <button
                type="button"
                class="primary"
                onClick={() => {
                  writing.change({ slug: asked });
                  setAsked(null);
                }}
              >
                Change the address
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}
