import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { METRICS } from "../../src/observe/metric-table.ts";
import { openTestApp } from "../app.ts";

const folder = join(import.meta.dirname, "../../deploy");
const read = (path: string) => readFileSync(join(folder, path), "utf8");

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Tests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parse(read("prometheus/rules.yml")) as Rules).groups.flatMap((group) => group.rules);
const cases = (parse(read("prometheus/rules.test.yml")) as Tests).tests.flatMap((one) => one.alert_rule_test);
const { panels } = JSON.parse(read("grafana/content-api.json")) as Dashboard;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Words of PromQL that the expressions use beside names of metrics. */
const WORDS = new Set(
  "sum rate min max by le and or on absent vector offset histogram_quantile increase count topk".split(" "),
);

/** Names of metrics in an expression, with the labels that it asks of each. */
function metricsIn(expression: string): [name: string, labels: string[]][] {
  const bare = expression
    .replaceAll(/\bby \([^)]*\)/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\boffset \w+/g, "");
  return [...bare.matchAll(/\b([a-z_]\w*)(?:\{([^}]*)\})?/g)].flatMap(([, name = "", matchers = ""]) => {
    if (WORDS.has(name) || /^\d/.test(name)) return [];
    return [[name, [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label)]];
  });
}

const familyOf = (sample: string) =>
  Object.hasOwn(METRICS, sample) ? sample : sample.replace(/_(bucket|sum|count)$/, "");

describe("O29 alerts and the dashboard", () => {
  test("every expression names metrics of the table, by labels that they have", () => {
    assert.ok(expressions.length > 40);
    for (const expression of expressions) {
      const found = metricsIn(expression);
      assert.ok(found.length > 0, expression);
      for (const [sample, labels] of found) {
        const family = familyOf(sample);
        assert.ok(Object.hasOwn(METRICS, family), `${sample} in ${expression}`);
        const row = METRICS[family as keyof typeof METRICS];
        assert.equal(
          row.type === "histogram",
          family !== sample,
          `${sample} is a part of a histogram, or no histogram`,
        );
        const known: string[] = ["instance", "le", ...row.labels.map(([label]) => label)];
        for (const label of labels) assert.ok(known.includes(label), `${sample} has no label ${label}`);
      }
    }
  });

  test("a name and a label that nobody exposes are noticed", () => {
    assert.deepEqual(metricsIn('sum by (x) (rate(no_such_total{a=~"b", c="d"}[5m] offset 1h)) > 2 * 86400'), [
      ["no_such_total", ["a", "c"]],
    ]);
  });

  test("a real scrape has them", async () => {
    const app = await openTestApp({ HOST: "127.0.0.1" });
    const page = await (await fetch(`${app.url}/metrics`)).text();
    await app.close();
    for (const [sample] of expressions.flatMap(metricsIn))
      assert.ok(page.includes(`\n# TYPE ${familyOf(sample)} `), sample);
  });

  test("each alert has a case in which it fires, and one in which it does not", () => {
    assert.ok(rules.length >= 12);
    for (const { alert } of rules) {
      const outcomes = cases
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts }) => exp_alerts.length > 0);
      assert.deepEqual([outcomes.includes(true), outcomes.includes(false)], [true, true], alert);
    }
  });

  test("the dashboard has 20 panels at most, each with a name of its own", () => {
    assert.ok(panels.length <= 20);
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
  });

  test("docs/monitoring.md names each metric", () => {
    const text = readFileSync(join(folder, "../docs/monitoring.md"), "utf8");
    for (const name of Object.keys(METRICS)) assert.match(text, new RegExp(`^\\|.*\`${name}\`.*\\|.*\\|$`, "m"), name);
  });

  test("docs/production.md and docs/monitoring.md name each alert", () => {
    const docs = ["production", "monitoring"].map((name) => readFileSync(join(folder, `../docs/${name}.md`), "utf8"));
    for (const { alert } of rules) for (const text of docs) assert.ok(text.includes(alert), alert);
  });
});
