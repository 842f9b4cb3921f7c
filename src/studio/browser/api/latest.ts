/** Clock and timers, so that tests have their own. */
interface Timers {
  set(run: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

export interface Latest<Question> {
  /** Asks a while after the last call. */
  ask(question: Question): void;
  /** Drops questions and answers that are under way. */
  close(): void;
}

export interface LatestOptions<Question, Answer> {
  /** Milliseconds between the last question and the request. */
  readonly wait: number;
  run(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Given the answers, each newer than the one before. */
  show(answer: Answer, question: Question): void;
  fail(error: unknown, question: Question): void;
  readonly timers?: Timers;
}

const BROWSER: Timers = {
  set: (run, milliseconds) => setTimeout(run, milliseconds),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** Asks after a pause, and shows the newest answer only: one that comes late never replaces the answer to a later question. */
export function openLatest<Question, Answer>({
  wait,
  run,
  show,
  fail,
  timers = BROWSER,
}: LatestOptions<Question, Answer>): Latest<Question> {
  let timer: unknown = null;
  let running: AbortController | null = null;

  async function send(question: Question): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    try {
      const answer = await run(question, own.signal);
      if (running === own) show(answer, question);
    } catch (error) {
      if (running === own) fail(error, question);
    }
  }

  function stop(): void {
    if (timer !== null) timers.clear(timer);
    timer = null;
  }

  return {
    ask(question) {
      stop();
      timer = timers.set(() => {
        timer = null;
        void send(question);
      }, wait);
    },
    close() {
      stop();
      running?.abort();
      running = null;
    },
  };
}
