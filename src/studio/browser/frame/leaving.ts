/** Asks the person before the page is left. @param leave called when they want to */
type Question = (leave: () => void) => void;

let questions: readonly Question[] = [];

/** @returns how to take it away */
export function askBeforeLeaving(question: Question): () => void {
  questions = [...questions, question];
  return () => {
    questions = questions.filter((one) => one !== question);
  };
}

/** Asks one question after the other, the latest first. @returns false where there is none, and nothing was called */
export function askToLeave(leave: () => void): boolean {
  if (questions.length === 0) return false;
  questions.reduce<() => void>((next, question) => () => question(next), leave)();
  return true;
}
