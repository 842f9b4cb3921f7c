// @ts-check

/**
 * Lets the keyboard out of the editors (WCAG 2.2, success criterion 2.1.2): CodeMirror takes Tab to indent. After Esc, the
 * next Tab or Shift-Tab moves the focus as everywhere else.
 *
 * @param {HTMLElement} root  What holds the editors, now or later.
 * @param {HTMLElement} advice  Says how to leave an editor.
 */
export function leaveEditorsByKeyboard(root, advice) {
  let mayLeave = false;
  // Before CodeMirror sees the key.
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") mayLeave = isInEditor(event.target);
      else if (event.key === "Tab" && mayLeave && isInEditor(event.target)) {
        mayLeave = false;
        event.stopPropagation();
      } else if (event.key !== "Shift") mayLeave = false;
    },
    { capture: true },
  );
  root.addEventListener("focusin", () => {
    mayLeave = false;
  });
  nameEditors(root, advice);
  new MutationObserver(() => nameEditors(root, advice)).observe(root, { childList: true, subtree: true });
}

/** @param {EventTarget | null} target */
function isInEditor(target) {
  return target instanceof Element && target.closest(".CodeMirror") !== null;
}

/**
 * CodeMirror's own fields have no names; the sections around them do.
 * @param {HTMLElement} root
 * @param {HTMLElement} advice
 */
function nameEditors(root, advice) {
  for (const field of root.querySelectorAll(".CodeMirror textarea:not([aria-label])")) {
    field.setAttribute("aria-label", field.closest("[aria-label]")?.getAttribute("aria-label") ?? "Editor");
    field.setAttribute("aria-describedby", advice.id);
  }
}
