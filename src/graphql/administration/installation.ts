import type { SigningAlgorithm } from "../../domain/clients/client.ts";
import { rotateKeys } from "../../domain/store/signing-key-administration.ts";
import type { Value } from "../plan/object-shape.ts";
import { type AdministrationContext, type Change, enumName, type Query } from "./field.ts";

export const INSTALLATION_QUERIES: Readonly<Record<string, Query>> = {
  signingKeys: keysOf,
  health: async ({ health }) => {
    const { state, checks, ...rest } = await health();
    const shown = checks.map((check) => ({ ...check, state: enumName(check.state) }));
    return { ...rest, state: enumName(state), checks: shown };
  },
  settings: async ({ settings }) =>
    settings().map(({ source, ...setting }) => ({ ...setting, source: enumName(source) })),
};

export const INSTALLATION_CHANGES: Readonly<Record<string, Change>> = {
  rotateSigningKeys: {
    async make(context, { algorithms, isLeaked }) {
      await rotateKeys(context, algorithms as readonly SigningAlgorithm[], isLeaked === true);
      return { signingKeys: await keysOf(context) };
    },
    recall: async (context) => ({ signingKeys: await keysOf(context) }),
  },
};

async function keysOf({ signingKeys }: AdministrationContext): Promise<Value[]> {
  return (await signingKeys.list()).map(({ state, ...key }) => ({ ...key, state: enumName(state) }));
}
