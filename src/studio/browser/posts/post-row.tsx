import { Icon } from "../frame/icon.tsx";
import { Highlight } from "../frame/text/highlight.tsx";
import { Time } from "../frame/text/time.tsx";
import { type ListView, pathOf } from "./list-address.ts";
import type { Row } from "./post-list.ts";
import { stateOf, timeOf, titleOf, updateOf } from "./row-words.ts";

interface PostRowProps {
  readonly row: Row;
  readonly view: ListView;
  readonly zone: string;
  readonly isSelected: boolean;
  readonly news: "changed" | "deleted" | null;
  readonly isOnDevice: boolean;
  readonly failure: string | null;
  readonly href: (path: string) => string;
  /** @returns whether the row is selected now */
  readonly onToggle: (isRange: boolean) => boolean;
}

export function PostRow({ row, view, zone, isSelected, news, isOnDevice, failure, href, onToggle }: PostRowProps) {
  const title = titleOf(row);
  const update = updateOf(row, Date.now());
  const { state, words } = (view.tab === "scheduled" && update) || stateOf(row, Date.now());
  const time = timeOf(row, view.tab);
  return (
    <tr class={isSelected ? "selected" : undefined} data-post={row.id}>
      <td class="pick">
        <label>
          <span class="visually-hidden">Select {title}</span>
          <input
            type="checkbox"
            checked={isSelected}
            onClick={({ currentTarget, shiftKey }) => {
              // A range leaves the row selected, whatever the browser made of the click.
              currentTarget.checked = onToggle(shiftKey);
            }}
          />
        </label>
      </td>
      <th scope="row" class="name">
        <a id={`post-${row.id}`} href={href(`/posts/${row.id}`)} class="row-title" dir="auto">
          {title}
        </a>
        <span class="tags">
          {row.status === "PUBLISHED" && row.workingCopy !== null && update === null && (
            <span class="tag">Unpublished changes</span>
          )}
          {update !== null && view.tab !== "scheduled" && (
            <span class={update.state === "late" ? "tag late" : "tag"}>{update.words}</span>
          )}
          {isOnDevice && <span class="tag">On this device</span>}
          {news === "changed" && <span class="tag">Changed just now</span>}
          {news === "deleted" && <span class="tag">Deleted just now</span>}
        </span>
        {row.highlight !== null && (
          <span class="found" dir="auto">
            <Highlight html={row.highlight} />
          </span>
        )}
        {failure !== null && (
          <span class="field-error">
            <Icon name="warning" /> {failure}
          </span>
        )}
      </th>
      <td class={`state ${state}`}>
        <span>{words}</span>
      </td>
      <td class="author">
        <a href={href(pathOf({ ...view, author: row.author.id }))} dir="auto">
          {row.author.name}
        </a>
      </td>
      <td class="when">
        {time === null ? (
          "–"
        ) : (
          <Time value={time} exact={view.tab === "scheduled"} zone={view.tab === "scheduled" ? zone : undefined} />
        )}
      </td>
      <td class="words">{row.wordCount.toLocaleString()}</td>
    </tr>
  );
}
