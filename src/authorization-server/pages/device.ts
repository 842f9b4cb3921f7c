import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { letterTile, TICK, WARNING } from "./layout/marks.ts";

/** Form in which a person enters the code that a device shows (RFC 8628 section 3.3). Posts `user_code` and `xsrf` to `action`. */
export function deviceCodePage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** The code that the person typed last, or that was in the address. */
  userCode?: string;
  error?: string;
}): string {
  const invalid = model.error !== undefined && html` aria-invalid="true" aria-describedby="code-error"`;
  return layout(
    { title: "Connect a device", operator: model.operator },
    html`<div class="stack">
<h1>Connect a device</h1>
<p class="muted">Enter the code that your device shows, to let it use your <bdi>${model.operator}</bdi> account.</p>
</div>
${model.error !== undefined && html`<div class="note danger" id="code-error" role="alert">${WARNING}<div>${model.error}</div></div>`}
<form method="post" action="${model.action}">
<input type="hidden" name="xsrf" value="${model.csrf}">
<div class="field">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" type="text" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" required maxlength="40" value="${model.userCode}"${invalid} autofocus>
<p class="hint">Eight letters, such as BCDF-GHJK.</p>
</div>
<div class="actions field"><button class="primary full" type="submit">Continue</button></div>
</form>`,
  );
}

/** Asks whether it is really the person's own device (RFC 8628 section 5.4). Posts `confirm` or `abort`, `yes` each. */
export function deviceConfirmPage(model: {
  operator: string;
  action: string;
  csrf: string;
  userCode: string;
  clientName: string;
}): string {
  return layout(
    { title: "Connect this device?", operator: model.operator },
    html`<h1>Connect this device?</h1>
<div class="identity">
${letterTile(model.clientName, "square")}
<div>
<p class="title client-name"><bdi>${model.clientName}</bdi></p>
<p class="small muted">On the device that shows <code>${model.userCode}</code></p>
</div>
</div>
<div class="note danger">${WARNING}<div><strong>Go on only if that device is in front of you</strong> and shows this very code. Nobody from <bdi>${model.operator}</bdi> will ever send you one.</div></div>
<form method="post" action="${model.action}">
<input type="hidden" name="xsrf" value="${model.csrf}">
<input type="hidden" name="user_code" value="${model.userCode}">
<div class="pair">
<button type="submit" name="confirm" value="yes">Continue</button>
<button type="submit" name="abort" value="yes">Cancel</button>
</div>
</form>`,
  );
}

export function deviceConnectedPage(model: { operator: string; clientName: string }): string {
  return layout(
    { title: "Device connected", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>Your device is connected</h1>
<p class="muted"><strong><bdi>${model.clientName}</bdi></strong> continues on the device in a few seconds. You can close this page.</p>
</div>`,
  );
}

export function deviceRefusedPage(model: { operator: string; action: string }): string {
  return layout(
    { title: "Device not connected", operator: model.operator },
    html`<div class="stack">
<h1>The device was not connected</h1>
<p class="muted">Nothing was shared with it, and its code is no longer valid. You can close this page, or ask the device for a new code.</p>
</div>
<p><a class="button full" href="${model.action}">Enter another code</a></p>`,
  );
}
