import { type AgentLevel, meaningOfLevel, titleOfLevel } from "../../domain/agent-level.ts";
import {
  askedPerson,
  askingClient,
  type ConsentModel,
  decisionForm,
  longName,
  placeAndTime,
  scopeRows,
  unavailableNote,
  uncheckedSentence,
} from "./consent-parts.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { INFO, WARNING } from "./layout/marks.ts";

interface AgentConsentModel extends ConsentModel {
  /** The levels that the agent may have, the lowest first; at least one. */
  readonly levels: readonly AgentLevel[];
  readonly marked: AgentLevel;
  /** Names of the scopes that the agent has at each level. */
  readonly scopes: readonly string[];
  /** The host that publishes the client's name; null for a client that was registered. */
  readonly nameOwner: string | null;
  /** All its redirects go to loopback addresses. */
  readonly isLoopbackOnly: boolean;
}

/**
 * Asks whether a program with a model may act for the person, and how far it may go. Posts `decision=approve|deny`, `level`,
 * `question` and `csrf` to `action`; "Not you?" posts `csrf` to `switchAction`.
 */
export function agentConsentPage(model: AgentConsentModel): string {
  const { client, operator, marked } = model;
  const name = html`<bdi>${client.name}</bdi>`;
  const shown = [...new Set(model.scopes)].filter((scope) => scope !== "offline_access");
  return layout(
    { title: `Allow ${client.name}`, operator },
    html`<h1${longName(client.name)}>Allow ${name} to act for you?</h1>
${askingClient(client)}
${originNote(model)}
<p><strong>${name} is a program that acts for you.</strong> Texts that it reads can tell it what to do, even posts by strangers. You remain responsible for what it publishes.</p>
${askedPerson(model)}
${decisionForm(
  model,
  html`<div class="parts">
<fieldset class="levels">
<legend>${name} may</legend>
${model.levels.map((level) => choice(level, level === marked))}
</fieldset>
<div class="rows">
${scopeRows(shown)}
${placeAndTime(model)}
</div>
${unavailableNote(model)}
</div>`,
)}`,
  );
}

function choice(level: AgentLevel, isMarked: boolean): Html {
  const id = `level-${level}`;
  return html`<div class="choice"><input id="${id}" type="radio" name="level" value="${level}"${isMarked && html` checked`}><label for="${id}"><strong>${titleOfLevel(level)}</strong><span class="hint">${meaningOfLevel(level)}</span></label></div>
`;
}

/** Says who answers for the client's name, and what is certain about it. */
function originNote({ operator, client, nameOwner, isLoopbackOnly }: AgentConsentModel): Html {
  const name = html`<bdi>${client.name}</bdi>`;
  const anyProgram = html`<strong>Any program on your computer can say that it is ${name}.</strong> Allow only if you have just started it yourself.`;
  if (nameOwner !== null) {
    const owner = html`<strong><bdi>${nameOwner}</bdi> says that this is ${name}.</strong> <bdi>${operator}</bdi> has not checked it.`;
    return html`<div class="stack"><div class="note">${INFO}<div>${owner}${!isLoopbackOnly && html` Allow only if you know <bdi>${nameOwner}</bdi> and started this yourself.`}</div></div>
${isLoopbackOnly && html`<div class="note danger">${WARNING}<div>${anyProgram}</div></div>`}</div>`;
  }
  const sentences = [
    !client.checked &&
      html`<p><strong>${uncheckedSentence(client, operator)}</strong> Anybody can register a client under this name.</p>`,
    isLoopbackOnly
      ? html`<p>${anyProgram}</p>`
      : !client.checked && html`<p>Allow only if you know it and started this yourself.</p>`,
  ];
  return html`${sentences.some(Boolean) && html`<div class="note danger">${WARNING}<div>${sentences}</div></div>`}`;
}
