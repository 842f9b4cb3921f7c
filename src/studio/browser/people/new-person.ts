import { isEmail } from "../../../domain/people/email.ts";
import type { Role } from "./words.ts";

/** Values of the form that adds a person. */
export interface NewPerson {
  readonly way: "invite" | "create";
  readonly email: string;
  /** Counts for `create` alone: invited people choose their name. */
  readonly name: string;
  readonly role: Role;
}

/** Sentences for fields that are wrong; `whole` for what concerns no field. */
export type PersonErrors = Readonly<Partial<Record<"email" | "name" | "whole", string>>>;

/** Mistakes that need no server to find. */
export function newPersonErrors({ way, email, name }: Pick<NewPerson, "way" | "email" | "name">): PersonErrors {
  return {
    ...(!isEmail(email.trim()) && { email: "Type an e-mail address such as ada@example.com." }),
    ...(way === "create" && name.trim() === "" && { name: "Type the name of the person." }),
  };
}
