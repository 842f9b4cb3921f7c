import { colorRules } from "../../design/colors.ts";

/** Colours of the editor alone, in hue, saturation and lightness, which is the format of GraphiQL. */
const EDITOR = {
  light: `--editor-paper: 45, 33%, 98%; --editor-ink: 223, 20%, 22%; --editor-accent: 226, 82%, 55%;
  --editor-string: 30, 100%, 30%; --editor-field: 208, 100%, 36%; --editor-type: 188, 100%, 25%;`,
  dark: `--editor-paper: 220, 23%, 8%; --editor-ink: 220, 20%, 86%; --editor-accent: 222, 100%, 78%;
  --editor-string: 30, 100%, 80%; --editor-field: 208, 100%, 72%; --editor-type: 188, 100%, 44%;`,
};

/** The start of the explorer's style sheet. GraphiQL's own theme switch sets `graphiql-light` and `graphiql-dark`. */
export const COLOR_RULES = colorRules(
  { light: ":has(> body.graphiql-light)", dark: ":has(> body.graphiql-dark)" },
  EDITOR,
);
