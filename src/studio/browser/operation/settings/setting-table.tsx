import { CopyButton } from "../../frame/copy-button.tsx";
import { envLine, type SettingRow, SOURCE_WORDS } from "./setting-words.ts";
import "./settings.css";

interface SettingTableProps {
  readonly section: string;
  readonly settings: readonly SettingRow[];
}

/** Settings of one group, each as its line in `.env`. */
export function SettingTable({ section, settings }: SettingTableProps) {
  return (
    <section class="section">
      <h2>{section}</h2>
      <table class="rows settings">
        <caption class="visually-hidden">{section}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Its source</th>
            <th scope="col">Its line</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <SettingLine key={setting.name} setting={setting} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SettingLine({ setting }: { readonly setting: SettingRow }) {
  const { name, value, default: fallback, source, help } = setting;
  const field = `line-${name}`;
  return (
    <tr>
      <th scope="row" class="main">
        <code id={field}>
          {name}=<span class="value">{value}</span>
        </code>
        {value === null && <span class="muted small unset"> not set</span>}
        <p class="muted small">{help}</p>
      </th>
      <td class={source === "DEFAULT" ? undefined : "given"}>
        {SOURCE_WORDS[source]}
        {source !== "DEFAULT" && (
          <span class="muted small">
            {fallback === null ? "No default" : fallback === "" ? "Empty by default" : `Default: ${fallback}`}
          </span>
        )}
      </td>
      <td>
        <CopyButton text={envLine(setting)} fieldId={field} of={name} />
      </td>
    </tr>
  );
}
