import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { PostFacts } from "../../ports.ts";
import { clockOffset, clockWarning } from "./device-clock.ts";
import { type LocalTime, localTimeOf, momentsOf } from "./moments.ts";
import { answersOf, momentForYou, momentInZone, questionOf } from "./schedule-words.ts";
import { loadTemporal, type TemporalApi } from "./temporal.ts";
import { firstZones, knownZone, otherZones, ownZone } from "./zones.ts";
import "./schedule.css";

/** A moment that the fields hold. */
export interface ChosenTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly zone: string;
  readonly isPast: boolean;
}

interface ScheduleFieldsProps {
  /** The zone of the installation. */
  readonly timeZone: string;
  readonly post: Pick<PostFacts, "publishAt" | "publishAtZone"> | null;
  /** null while the fields hold no moment, or leave open which. */
  readonly onChoose: (time: ChosenTime | null) => void;
}

const DAY = 86_400_000;

/** Date, time and zone, with what they mean in the zone and for the person. */
export function ScheduleFields({ timeZone, post, onChoose }: ScheduleFieldsProps) {
  const id = useId();
  const own = useMemo(ownZone, []);
  const [zone, setZone] = useState(() => knownZone(post?.publishAtZone ?? timeZone));
  const [local, setLocal] = useState<LocalTime>(() => firstTime(post?.publishAt ?? null, zone));
  const [which, setWhich] = useState<number | null>(() => (post?.publishAt ? Date.parse(post.publishAt) : null));
  const [temporal, setTemporal] = useState<TemporalApi | "missing" | null>(null);
  const [offset, setOffset] = useState(0);
  const first = useMemo(() => firstZones(knownZone(timeZone), own), [timeZone, own]);
  const others = useMemo(() => otherZones(first), [first]);

  useEffect(() => {
    let isOpen = true;
    void clockOffset(fetch.bind(globalThis), Date.now).then((found) => isOpen && setOffset(found ?? 0));
    return () => {
      isOpen = false;
    };
  }, []);

  const load = () => {
    setTemporal(null);
    loadTemporal().then(
      (loaded) => setTemporal(() => loaded),
      () => setTemporal("missing"),
    );
  };
  useEffect(load, []);

  const calendar = temporal === "missing" ? null : temporal;
  const moments = useMemo(() => calendar && momentsOf(calendar, local, zone), [calendar, local, zone]);
  const answers = moments ? answersOf(moments) : [];
  const at = moments?.kind === "once" ? moments.moment.at : (answers.find((answer) => answer.at === which)?.at ?? null);
  const now = Date.now() + offset;
  const isPast = at !== null && at <= now;
  useEffect(() => onChoose(at === null ? null : { at, zone, isPast }), [at, zone, isPast, onChoose]);

  const question = moments && questionOf(moments, local.time);
  const warning = clockWarning(offset);
  return (
    <div class="schedule">
      <div class="schedule-fields">
        <div class="field">
          <label for={`${id}-date`}>Date</label>
          <input
            id={`${id}-date`}
            type="date"
            required
            value={local.date}
            aria-describedby={`${id}-means`}
            onInput={({ currentTarget }) => setLocal({ ...local, date: currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for={`${id}-time`}>Time</label>
          <input
            id={`${id}-time`}
            type="time"
            required
            value={local.time}
            aria-describedby={`${id}-means`}
            onInput={({ currentTarget }) => setLocal({ ...local, time: currentTarget.value })}
          />
        </div>
        <div class="field schedule-zone">
          <label for={`${id}-zone`}>Time zone</label>
          <select id={`${id}-zone`} value={zone} onChange={({ currentTarget }) => setZone(currentTarget.value)}>
            {first.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
            <optgroup label="All time zones">
              {others.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
      </div>
      {question !== null && (
        <fieldset class="schedule-question">
          <legend>{question}</legend>
          {answers.map((answer) => (
            <label key={answer.at} class="choice">
              <input
                type="radio"
                name={`${id}-which`}
                checked={which === answer.at}
                onChange={() => setWhich(answer.at)}
              />
              <span>{answer.label}</span>
            </label>
          ))}
        </fieldset>
      )}
      <div id={`${id}-means`} class="schedule-means" role="status">
        {temporal === "missing" ? (
          <p>
            The time zones could not be loaded.{" "}
            <button type="button" onClick={load}>
              Try again
            </button>
          </p>
        ) : at === null ? (
          <p class="muted">{question === null ? "Choose a date and a time." : "Choose one of the times above."}</p>
        ) : (
          <>
            <p>
              <strong>{momentInZone(at, zone)}</strong>
            </p>
            <p class="muted">{momentForYou(at, zone, own, now)}</p>
          </>
        )}
        {warning !== null && <p class="schedule-warning">{warning}</p>}
      </div>
    </div>
  );
}

/** The planned time, or tomorrow at nine. */
function firstTime(publishAt: string | null, zone: string): LocalTime {
  if (publishAt !== null) return localTimeOf(Date.parse(publishAt), zone);
  return { date: localTimeOf(Date.now() + DAY, zone).date, time: "09:00" };
}
