// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";

export interface HealthPageData {
  readonly health: {
    readonly state: ("OK" | "WARNING" | "FAILING");
    readonly checkedAt: string;
    readonly checks: readonly {
      readonly name: string;
      readonly state: ("OK" | "WARNING" | "FAILING");
      readonly detail: string;
      readonly advice: string | null;
    }[];
  };
}

export type HealthPageVariables = Record<string, never>;

export const HealthPage: StudioDocument<HealthPageData, HealthPageVariables> = {
  text: "query HealthPage{health{state checkedAt checks{name state detail advice}}}",
  id: "sha256:2a1ad3bb6b301d75aa3f5ff24fe03c18d86cce9ce10131956f95f15096fafc21",
};

export interface SettingsPageData {
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly isSecret: boolean;
    readonly default: string | null;
    readonly source: ("ENVIRONMENT" | "FILE" | "DEFAULT");
    readonly help: string;
    readonly section: string;
  }[];
  readonly signingKeys: readonly KeyFacts[];
}

export type SettingsPageVariables = Record<string, never>;

export const SettingsPage: StudioDocument<SettingsPageData, SettingsPageVariables> = {
  text: "query SettingsPage{settings{name value isSecret default source help section}signingKeys{...KeyFacts}}fragment KeyFacts on SigningKey{kid algorithm state createdAt signsFrom retiredAt publishedUntil}",
  id: "sha256:3749c213fb1fd0ed8852795cbc27cd406ac3775c2167e3ccee6a68ffe83264bd",
};

export interface RotateSigningKeysData {
  readonly rotateSigningKeys: {
    readonly signingKeys: readonly KeyFacts[] | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RotateSigningKeysVariables {
  readonly isLeaked: boolean;
}

export const RotateSigningKeys: StudioDocument<RotateSigningKeysData, RotateSigningKeysVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RotateSigningKeys($isLeaked:Boolean!){rotateSigningKeys(isLeaked:$isLeaked){signingKeys{...KeyFacts}errors{...Refusal}}}fragment KeyFacts on SigningKey{kid algorithm state createdAt signsFrom retiredAt publishedUntil}",
  id: "sha256:80152d2969af4dbdb1c28520a9aa05d0e30ce9218700ea2899da043cf22280cc",
};

export interface KeyFacts {
  readonly kid: string;
  readonly algorithm: ("ES256" | "RS256");
  readonly state: ("NEXT" | "SIGNING" | "RETIRED" | "GONE");
  readonly createdAt: string;
  readonly signsFrom: string;
  readonly retiredAt: string | null;
  readonly publishedUntil: string | null;
}
