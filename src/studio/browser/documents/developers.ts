// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { CreateOwnClientInput, UpdateOwnClientInput } from "./inputs.ts";

export interface OwnClientListData {
  readonly ownClients: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: ("PUBLIC" | "CONFIDENTIAL");
    readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
    readonly redirectUris: readonly string[];
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly disabledAt: string | null;
    readonly disabledByOwner: boolean;
  }[];
}

export type OwnClientListVariables = Record<string, never>;

export const OwnClientList: StudioDocument<OwnClientListData, OwnClientListVariables> = {
  text: "query OwnClientList{ownClients{id name type grantTypes redirectUris createdAt lastUsedAt disabledAt disabledByOwner}}",
  id: "sha256:54cb91795e89fa3c11eac0f9911b72f7f696cee035077ba15c990b2c5f1f547b",
};

export interface OwnClientFacts {
  readonly id: string;
  readonly name: string;
  readonly type: ("PUBLIC" | "CONFIDENTIAL");
  readonly hasSecret: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
  readonly scopes: readonly string[];
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: ("ES256" | "RS256");
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledByOwner: boolean;
  readonly secrets: readonly {
    readonly id: string;
    readonly hint: string | null;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endedAt: string | null;
  }[];
}

export interface ChangedOwnClient {
  readonly client: OwnClientFacts | null;
  readonly errors: readonly Refusal[];
}

export interface MadeOwnSecret {
  readonly client: OwnClientFacts | null;
  readonly clientSecret: string | null;
  readonly errors: readonly Refusal[];
}

export interface OwnClientPageData {
  readonly ownClients: readonly OwnClientFacts[];
  readonly ownClientProblems: readonly {
    readonly id: string;
    readonly at: string;
    readonly message: string;
    readonly requestId: string | null;
  }[];
}

export interface OwnClientPageVariables {
  readonly id: string;
}

export const OwnClientPage: StudioDocument<OwnClientPageData, OwnClientPageVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}query OwnClientPage($id:ID!){ownClients{...OwnClientFacts}ownClientProblems(id:$id first:20){id at message requestId}}",
  id: "sha256:000f95fd858614fa9d9133ec750ac47aada5e6f75bdef83a28edc2b528191490",
};

export interface CreateOwnClientData {
  readonly createOwnClient: MadeOwnSecret | null;
}

export interface CreateOwnClientVariables {
  readonly input: CreateOwnClientInput;
}

export const CreateOwnClient: StudioDocument<CreateOwnClientData, CreateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation CreateOwnClient($input:CreateOwnClientInput!){createOwnClient(input:$input){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:607de3686c51a27cb9832e901e99e50eab58be626c4a5c9ebb3a20879cbffb74",
};

export interface UpdateOwnClientData {
  readonly updateOwnClient: ChangedOwnClient | null;
}

export interface UpdateOwnClientVariables {
  readonly id: string;
  readonly input: UpdateOwnClientInput;
}

export const UpdateOwnClient: StudioDocument<UpdateOwnClientData, UpdateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation UpdateOwnClient($id:ID!$input:UpdateOwnClientInput!){updateOwnClient(id:$id input:$input){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:fbc24f9af3ba1fc345366e1f02a710af56d3480c2f603e773c3c944321b85c61",
};

export interface DeleteOwnClientData {
  readonly deleteOwnClient: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteOwnClientVariables {
  readonly id: string;
}

export const DeleteOwnClient: StudioDocument<DeleteOwnClientData, DeleteOwnClientVariables> = {
  text: "mutation DeleteOwnClient($id:ID!){deleteOwnClient(id:$id){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:5d0f7e6f0a60cd46e0bdcc6623056c528cd9bedf7f169fb608d608ebe50b0c6d",
};

export interface AddOwnClientSecretData {
  readonly addOwnClientSecret: MadeOwnSecret | null;
}

export interface AddOwnClientSecretVariables {
  readonly id: string;
}

export const AddOwnClientSecret: StudioDocument<AddOwnClientSecretData, AddOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation AddOwnClientSecret($id:ID!){addOwnClientSecret(id:$id){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:5efb8084f8d912d648e0da84a320360ea8c462ecfa61b473367804a6ca6c958d",
};

export interface EndOwnClientSecretData {
  readonly endOwnClientSecret: ChangedOwnClient | null;
}

export interface EndOwnClientSecretVariables {
  readonly id: string;
  readonly secret: string;
}

export const EndOwnClientSecret: StudioDocument<EndOwnClientSecretData, EndOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EndOwnClientSecret($id:ID!$secret:ID!){endOwnClientSecret(id:$id secret:$secret){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:f9f682ffc18c23f2c3dfc6297a6bf875bdd1fe285fc19114fc7a27731f7ac0c3",
};

export interface DisableOwnClientData {
  readonly disableOwnClient: ChangedOwnClient | null;
}

export interface DisableOwnClientVariables {
  readonly id: string;
}

export const DisableOwnClient: StudioDocument<DisableOwnClientData, DisableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation DisableOwnClient($id:ID!){disableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:931a98091bc58ed510582ca2746036248ef7d8c926d97fab06a54168dcf7a08d",
};

export interface EnableOwnClientData {
  readonly enableOwnClient: ChangedOwnClient | null;
}

export interface EnableOwnClientVariables {
  readonly id: string;
}

export const EnableOwnClient: StudioDocument<EnableOwnClientData, EnableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EnableOwnClient($id:ID!){enableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:6858ece82b21068cc1c117ae988fd71de657b86c9a25053b517d46f399683c32",
};

export interface StartClientTrialData {
  readonly startClientTrial: {
    readonly client: {
      readonly trialUntil: string | null;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface StartClientTrialVariables {
  readonly id: string;
}

export const StartClientTrial: StudioDocument<StartClientTrialData, StartClientTrialVariables> = {
  text: "mutation StartClientTrial($id:ID!){startClientTrial(id:$id){client{trialUntil}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:41cdada7804fbde0b0c614b4634601193b4e3c8b953457d8023817da8dd5e832",
};
