import { ScimError } from "./scim-error.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
const PREFIX = `${USER_SCHEMA.toLowerCase()}:`;

/** Attributes of a person that this server keeps, as a service gives them; omitted ones were not given. */
export interface Given {
  readonly userName?: string;
  readonly displayName?: string;
  readonly name?: { readonly formatted?: string; readonly givenName?: string; readonly familyName?: string };
  readonly externalId?: string;
  readonly active?: boolean;
}

/** The library's part: types of attributes, the description of the schema, and forms of messages. */
export interface Model {
  /** Checks the types of attributes. @throws ScimError with status 400 */
  readGiven(attributes: Readonly<Record<string, unknown>>): Given;
  /** Checks the form of a PATCH message. @throws ScimError with status 400 */
  readOperations(message: Readonly<Record<string, unknown>>): readonly Operation[];
  /** The answer of `/Schemas`. @param location URL of `/Schemas` */
  describe(location: string): object;
}

interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

/** Values of `scimType` in the library's errors. */
const SCIM_TYPES = ["invalidPath", "invalidSyntax", "noTarget"] as const;

/** The library quotes input, which may be long. */
function sentence({ message }: Error): string {
  return `${message.slice(0, 200)}.`;
}

/**
 * The name of an attribute as it is compared: without regard to case (RFC 7643 section 2.1), and without the schema that may stand before
 * it (RFC 7644 section 3.10).
 */
export function attributeKey(name: string): string {
  const key = name.toLowerCase();
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
}

let opening: Promise<Model> | null = null;

/** Loads the library at the first use. */
export function openModel(): Promise<Model> {
  opening ??= load();
  return opening;
}

/**
 * Nothing is declared in the library's global lists. Its filters are not used: see `query.ts`. Input comes to it when its size is
 * bounded, with the attributes alone that are defined here.
 */
async function load(): Promise<Model> {
  const { Messages, Types } = await import("scimmy");
  const text = (name: string, description: string) => new Types.Attribute("string", name, { description });
  const definition = new Types.SchemaDefinition("User", USER_SCHEMA, "User Account", [
    new Types.Attribute("string", "userName", {
      required: true,
      uniqueness: "server",
      description: "The e-mail address with which the person signs in. It has to be at a domain of the service.",
    }),
    text(
      "displayName",
      "The name that others see. If it is missing, name.formatted is used, then givenName and familyName.",
    ),
    new Types.Attribute("complex", "name", { description: "Used where there is no displayName." }, [
      text("formatted", "The whole name."),
      text("givenName", "Used together with familyName. It is not kept by itself."),
      text("familyName", "Used together with givenName. It is not kept by itself."),
    ]),
    new Types.Attribute("boolean", "active", {
      description: "False: the person is signed out everywhere and stays out.",
    }),
    new Types.Attribute(
      "complex",
      "emails",
      { multiValued: true, mutable: false, direction: "out", description: "The userName. READ-ONLY." },
      [
        new Types.Attribute("string", "value", { mutable: false, direction: "out", description: "The userName." }),
        new Types.Attribute("string", "type", { mutable: false, direction: "out", description: "work" }),
        new Types.Attribute("boolean", "primary", { mutable: false, direction: "out", description: "true" }),
      ],
    ),
  ]);

  /** Does what the library does, and turns its errors into ours. */
  function checked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof Types.Error) {
        const scimType = SCIM_TYPES.find((one) => one === error.scimType) ?? "invalidValue";
        throw new ScimError(400, scimType, sentence(error));
      }
      if (error instanceof TypeError) throw new ScimError(400, "invalidValue", sentence(error));
      throw error;
    }
  }

  return {
    readGiven: (attributes) => checked(() => definition.coerce(attributes, "in") as Given),
    readOperations: (message) =>
      checked(() => new Messages.PatchOp(message as ConstructorParameters<typeof Messages.PatchOp>[0]).Operations),
    describe: (location) => definition.describe(location),
  };
}
