import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Temporal as polyfill } from "temporal-polyfill";
import { dayName, scheduledDays } from "../../src/studio/browser/publishing/schedule/days.ts";
import { clockOffset, clockWarning } from "../../src/studio/browser/publishing/schedule/device-clock.ts";
import { localTimeOf, momentsOf } from "../../src/studio/browser/publishing/schedule/moments.ts";
import {
  answersOf,
  fromNow,
  momentForYou,
  momentInZone,
  questionOf,
} from "../../src/studio/browser/publishing/schedule/schedule-words.ts";
import type { TemporalApi } from "../../src/studio/browser/publishing/schedule/temporal.ts";
import { firstZones, knownZone, otherZones } from "../../src/studio/browser/publishing/schedule/zones.ts";
import { runs } from "../scale.ts";

const temporal = polyfill as unknown as TemporalApi;

/** Zones whose clocks change by an hour, by half an hour, at midnight, never, or by a whole day once. */
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Havana",
  "Africa/Cairo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Pacific/Chatham",
  "UTC",
];

const zone = fc.constantFrom(...ZONES);
const minute = fc.integer({ min: Date.UTC(2011, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 }).map((n) => n * 60_000);

/** Minutes around the nights on which clocks change. */
const night = fc
  .tuple(
    zone,
    fc.integer({ min: 2012, max: 2036 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: -180, max: 180 }),
  )
  .map(([zone, year, index, minutes]) => {
    const changes: number[] = [];
    let next = temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(zone).getTimeZoneTransition("next");
    while (next !== null && next.year === year) {
      changes.push(next.epochMilliseconds);
      next = next.getTimeZoneTransition("next");
    }
    return { zone, at: (changes[index % Math.max(1, changes.length)] ?? Date.UTC(year, 5)) + minutes * 60_000 };
  });

describe("S53 the schedule", () => {
  test("S53 each moment is found again from its local time, in every zone and on every night", () => {
    fc.assert(
      fc.property(fc.oneof(fc.record({ zone, at: minute }), night), ({ zone, at }) => {
        const local = localTimeOf(at, zone);
        const zoned = temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        assert.equal(`${local.date}T${local.time}`, zoned.toPlainDateTime().toString({ smallestUnit: "minute" }));
        const moments = momentsOf(temporal, local, zone);
        assert.ok(moments !== null && moments.kind !== "never", JSON.stringify(moments));
        const possible = moments.kind === "once" ? [moments.moment] : [moments.earlier, moments.later];
        assert.ok(possible.some((moment) => moment.at === at));
        for (const moment of possible) assert.deepEqual(localTimeOf(moment.at, zone), local);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test("S53 a time that clocks skip is told apart from one that comes twice", () => {
    fc.assert(
      fc.property(night, ({ zone, at }) => {
        // The local time as if clocks did not change within the night.
        const before = temporal.Instant.fromEpochMilliseconds(at - 12 * 3_600_000).toZonedDateTimeISO(zone);
        const plain = before.toPlainDateTime().add({ hours: 12 });
        const local = {
          date: plain.toPlainDate().toString(),
          time: plain.toPlainTime().toString({ smallestUnit: "minute" }),
        };
        const moments = momentsOf(temporal, local, zone);
        assert.ok(moments !== null);
        const exact = (moment: number) => {
          const shown = localTimeOf(moment, zone);
          return shown.date === local.date && shown.time === local.time;
        };
        if (moments.kind === "once") assert.ok(exact(moments.moment.at));
        else {
          assert.ok(moments.earlier.at < moments.later.at);
          assert.equal(exact(moments.earlier.at), moments.kind === "twice");
          assert.equal(exact(moments.later.at), moments.kind === "twice");
          assert.equal(answersOf(moments).length, 2);
          assert.notEqual(questionOf(moments, local.time), null);
        }
      }),
      { numRuns: runs(300, 3_000) },
    );
  });

  test("S53 the nights of Berlin, in words", () => {
    const spring = momentsOf(temporal, { date: "2027-03-28", time: "02:30" }, "Europe/Berlin");
    assert.ok(spring?.kind === "never");
    assert.equal(
      questionOf(spring, "02:30"),
      "02:30 does not exist on this day: clocks go forward. Choose another time.",
    );
    assert.deepEqual(answersOf(spring), [
      { at: Date.parse("2027-03-28T00:30:00Z"), label: "01:30 (UTC+01:00), before the change" },
      { at: Date.parse("2027-03-28T01:30:00Z"), label: "03:30 (UTC+02:00), after it" },
    ]);
    const autumn = momentsOf(temporal, { date: "2027-10-31", time: "02:30" }, "Europe/Berlin");
    assert.ok(autumn?.kind === "twice");
    assert.deepEqual(answersOf(autumn), [
      { at: Date.parse("2027-10-31T00:30:00Z"), label: "02:30 (UTC+02:00), the first time" },
      { at: Date.parse("2027-10-31T01:30:00Z"), label: "02:30 (UTC+01:00), the second time" },
    ]);
    assert.equal(momentsOf(temporal, { date: "2011-12-30", time: "12:00" }, "Pacific/Apia")?.kind, "never");
  });

  test("S53 a half-filled field is no moment", () => {
    for (const local of [
      { date: "", time: "09:00" },
      { date: "2027-02-30", time: "09:00" },
      { date: "2027-01-05", time: "" },
    ])
      assert.equal(momentsOf(temporal, local, "Europe/Berlin"), null);
    assert.equal(momentsOf(temporal, { date: "2027-01-05", time: "09:00" }, "Mars/Olympus"), null);
  });

  test("S53 both lines of words", () => {
    const at = Date.parse("2027-01-05T08:00:00Z");
    const now = Date.parse("2026-11-28T12:00:00Z");
    assert.equal(momentInZone(at, "Europe/Berlin", "en-GB"), "Tue, 5 Jan 2027, 09:00 Europe/Berlin");
    assert.equal(
      momentForYou(at, "Europe/Berlin", "America/New_York", now, "en-GB"),
      "= 03:00 for you (America/New_York), in 38 days",
    );
    assert.equal(
      momentForYou(Date.parse("2027-01-05T03:00:00Z"), "Europe/Berlin", "America/New_York", now, "en-GB"),
      "= Mon, 4 Jan 2027, 22:00 for you (America/New_York), in 37 days",
    );
    assert.equal(
      momentForYou(at, "Europe/Berlin", "Europe/Paris", now, "en-GB"),
      "= the same time for you (Europe/Paris), in 38 days",
    );
    assert.equal(
      momentForYou(at, "Europe/Berlin", "Europe/Berlin", now, "en-GB"),
      "This is your own time zone, in 38 days",
    );
  });

  test("S53 the distance never contradicts the calendar or the clock", () => {
    fc.assert(
      fc.property(minute, fc.integer({ min: -400 * 1_440, max: 400 * 1_440 }), zone, (now, minutes, zone) => {
        const at = now + minutes * 60_000;
        const words = fromNow(at, now, zone);
        const [, count, unit] = /^(?:in )?(\d+) (minute|hour|day)s?(?: ago)?$/.exec(words) ?? [];
        if (minutes === 0) assert.equal(words, "in less than a minute");
        else {
          assert.equal(words.startsWith("in "), minutes > 0, words);
          if (unit === "minute") assert.equal(Number(count), Math.abs(minutes));
          if (unit === "hour") assert.ok(Math.abs(Number(count) * 60 - Math.abs(minutes)) <= 30);
          if (unit === "day") assert.ok(Math.abs(Number(count) * 1_440 - Math.abs(minutes)) <= 2 * 1_440, words);
        }
      }),
    );
  });

  test("S53 the installation's zone comes first, then the device's, then UTC; each zone is there once", () => {
    fc.assert(
      fc.property(zone, zone, (installation, own) => {
        const first = firstZones(installation, own);
        const all = [...first, ...otherZones(first)].map(({ name }) => name);
        assert.equal(all[0], installation);
        assert.ok(first.some(({ name }) => name === own) && first.some(({ name }) => name === "UTC"));
        assert.equal(new Set(all).size, all.length);
        assert.ok(all.length > 400);
      }),
    );
    assert.equal(knownZone("Mars/Olympus"), "UTC");
    assert.equal(knownZone("Asia/Tokyo"), "Asia/Tokyo");
  });

  test("S53 a device clock that is off by more than a minute is told by the Date header", async () => {
    const served = Date.parse("2027-01-05T08:00:00Z");
    const answer = (headers: Record<string, string>) => () => Promise.resolve(new Response(null, { headers }));
    const offset = (device: number, headers: Record<string, string> = { date: new Date(served).toUTCString() }) =>
      clockOffset(answer(headers), () => device);
    assert.equal(clockWarning((await offset(served)) ?? Number.NaN), null);
    assert.equal(clockWarning((await offset(served + 59_000)) ?? Number.NaN), null);
    assert.equal(
      clockWarning((await offset(served + 5 * 60_000)) ?? Number.NaN),
      "This device's clock is 5 minutes fast. The post goes live by the server's clock.",
    );
    assert.equal(
      clockWarning((await offset(served - 3 * 3_600_000)) ?? Number.NaN),
      "This device's clock is 3 hours slow. The post goes live by the server's clock.",
    );
    assert.equal(await offset(served, {}), null);
    assert.equal(
      await clockOffset(
        () => Promise.reject(new TypeError("no network")),
        () => served,
      ),
      null,
    );
  });
});

describe("S55 the scheduled list", () => {
  test("S55 posts stand under their day in the installation's zone", () => {
    const posts = ["2027-01-05T11:58:00Z", "2027-01-05T22:59:00Z", "2027-01-05T23:30:00Z"].map((publishAt) => ({
      publishAt,
    }));
    const days = (zone: string) =>
      scheduledDays([...posts, { publishAt: null }], zone).map(({ date, posts }) => [date, posts.length]);
    assert.deepEqual(days("Europe/Berlin"), [
      ["2027-01-05", 2],
      ["2027-01-06", 1],
    ]);
    assert.deepEqual(days("UTC"), [["2027-01-05", 3]]);
    assert.match(dayName("2027-01-05", "en-GB"), /^Tuesday,? 5 January 2027$/);
  });
});
