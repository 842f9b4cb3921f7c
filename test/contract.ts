import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type RecordedAnswer, watchAnswers } from "./answers.ts";
import { recordFieldErrors } from "./recorder.ts";

/** The parts of docs/openapi.json that are compared with answers. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

type Responses = Readonly<
  Record<
    string,
    {
      readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
      readonly content?: Readonly<Record<string, unknown>>;
    }
  >
>;

/** Statuses that the document describes once for every path: unknown or malformed, another method, too large, of another type, a fault. */
const GENERAL: ReadonlySet<number> = new Set([400, 404, 405, 413, 414, 415, 500]);

/** docs/openapi.json, as something that answers are compared with. */
export class Contract {
  readonly document: Document;
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false, allErrors: true }));
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #templates: readonly (readonly [pattern: RegExp, template: string])[];

  constructor(text = readFileSync(join(import.meta.dirname, "../docs/openapi.json"), "utf8")) {
    this.document = JSON.parse(text) as Document;
    this.#ajv.addSchema(this.document, "openapi");
    this.#templates = Object.keys(this.document.paths)
      .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
      .map((template) => {
        const pattern = template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
        return [new RegExp(`^${pattern}$`), template] as const;
      });
  }

  /** The operation that was asked, such as `post /token`; null for a path or a method that the document leaves out. */
  operationOf({ method, url }: Pick<RecordedAnswer, "method" | "url">): string | null {
    const path = url.split("?", 1)[0] ?? "";
    const template = this.#templates.find(([pattern]) => pattern.test(path))?.[1];
    const verb = method.toLowerCase();
    if (template === undefined || this.document.paths[template]?.[verb] === undefined) return null;
    return `${verb} ${template}`;
  }

  /** Statuses of every operation, such as `post /token 200`. */
  statuses(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([verb, { responses }]) =>
        Object.keys(responses).map((status) => `${verb} ${path} ${status}`),
      ),
    );
  }

  /** The difference between an answer and the document; null where there is none. */
  differenceIn(answer: RecordedAnswer): string | null {
    const difference = this.ownDifferenceIn(answer);
    // Each path may answer so: a feature that is off, another method, a malformed head.
    return difference !== null && this.#isGeneral(answer) ? null : difference;
  }

  /** As `differenceIn`, by the answers alone that the document has for the operation itself. */
  ownDifferenceIn(answer: RecordedAnswer): string | null {
    const operation = this.operationOf(answer);
    if (operation === null) return null;
    const [verb = "", path = ""] = operation.split(" ");
    const { responses } = this.document.paths[path]?.[verb] ?? { responses: {} };
    const response = responses[answer.status];
    if (response === undefined) return "has a status that the document leaves out";
    const missing = Object.entries(response.headers ?? {})
      .filter(([name, { required }]) => required === true && !answer.headers.has(name))
      .map(([name]) => name);
    if (missing.length > 0) return `has no ${missing.join(", ")}`;
    if (response.content === undefined)
      return answer.status < 300 && answer.body !== "" ? `has a body: ${answer.body.slice(0, 200)}` : null;
    const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
    if (!Object.hasOwn(response.content, type))
      return `is ${type === "" ? "of no type" : type}: ${answer.body.slice(0, 200)}`;
    const place = ["paths", path, verb, "responses", String(answer.status), "content", type, "schema"];
    return this.#bodyDifference(answer, type, place);
  }

  /** The difference between a call to a webhook and the document. @param body as it was sent */
  differenceInEvent(body: string): string | null {
    const answer = { method: "POST", url: "", requestBody: "", status: 0, headers: new Map<string, string>(), body };
    return this.#bodyDifference(answer, "application/json", ["components", "schemas", "Event"]);
  }

  #isGeneral(answer: RecordedAnswer): boolean {
    if (!GENERAL.has(answer.status)) return false;
    const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
    const schemas = ["Failure", "OAuthError", "ScimError"].map((name) => ["components", "schemas", name]);
    return type === "text/html" || schemas.some((place) => this.#bodyDifference(answer, type, place) === null);
  }

  #bodyDifference({ body }: RecordedAnswer, type: string, place: readonly string[]): string | null {
    const key = place.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `openapi#/${key}` });
      this.#validators.set(key, validate);
    }
    let value: unknown = body;
    try {
      if (/[/+]json$/.test(type)) value = JSON.parse(body);
    } catch {
      return `is no JSON: ${body.slice(0, 200)}`;
    }
    if (validate(value)) return null;
    return `${this.#ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`;
  }
}

let shared: Contract | null = null;

/**
 * Compares every answer of a server of this process with docs/openapi.json (D04).
 *
 * @param port at which it listens, or is about to
 * @returns a function that throws where an answer was different. To be called when the server has closed
 */
export function watchContract(port: number): () => void {
  const differences = new Set<string>();
  watchAnswers(port, (answer) => {
    if (answer.method === "HEAD" || answer.method === "OPTIONS") return;
    shared ??= new Contract();
    const operation = shared.operationOf(answer);
    if (operation === null) return;
    if (operation.endsWith(" /graphql")) recordFieldErrors(answer.requestBody, answer.body);
    const difference = shared.differenceIn(answer);
    if (difference !== null) differences.add(`${operation} ${answer.status} ${difference}`);
    const file = process.env.SEEN_STATUSES;
    if (file !== undefined && shared.ownDifferenceIn(answer) === null)
      appendFileSync(file, `${operation} ${answer.status}\n`);
  });
  return () => assert.deepEqual([...differences], [], "answers that docs/openapi.json does not describe");
}
