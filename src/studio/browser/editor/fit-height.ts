/** Makes a field as high as its text, where the browser does not do so itself (`field-sizing: content`). */
export function fitHeight(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
