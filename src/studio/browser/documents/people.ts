// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { AccountFilter, CreateAccountInput } from "./inputs.ts";

export interface ListPeopleData {
  readonly accounts: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly role: ("MEMBER" | "EDITOR" | "ADMIN");
      readonly state: ("ACTIVE" | "DISABLED" | "DELETING" | "DELETED");
      readonly secondStep: boolean;
      readonly signInMethods: readonly ("PASSWORD" | "PASSKEY" | "UPSTREAM")[];
      readonly lastSignInAt: string | null;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface ListPeopleVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: AccountFilter | null;
}

export const ListPeople: StudioDocument<ListPeopleData, ListPeopleVariables> = {
  text: "query ListPeople($first:Int!$after:String$filter:AccountFilter){accounts(first:$first after:$after filter:$filter){nodes{id name email role state secondStep signInMethods lastSignInAt}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:06be4310a648c27c11b09b9070f08074cfccb9ae088a45ed6013a0b0fddea55b",
};

export interface AddPersonData {
  readonly createAccount: {
    readonly account: {
      readonly id: string;
      readonly name: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface AddPersonVariables {
  readonly input: CreateAccountInput;
}

export const AddPerson: StudioDocument<AddPersonData, AddPersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation AddPerson($input:CreateAccountInput!){createAccount(input:$input){account{id name}errors{...Refusal}}}",
  id: "sha256:2b0a54d12968de20a34a43a1fafb8d78b811d7c6dbb5415620f962958ee2ec7e",
};
