// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { ClientFilter, CreateClientInput, UpdateClientInput } from "./inputs.ts";

export interface ListedClient {
  readonly id: string;
  readonly name: string;
  readonly type: ("PUBLIC" | "CONFIDENTIAL");
  readonly origin: ("OPERATOR" | "PERSON" | "REGISTRATION" | "DOCUMENT");
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledByOwner: boolean;
  readonly owner: {
    readonly id: string;
    readonly name: string;
    readonly isActive: boolean;
  } | null;
}

export type AdministeredClient = (ListedClient & {
  readonly hasSecret: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
  readonly firstParty: boolean;
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: ("ES256" | "RS256");
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly assertionAlgorithm: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly resourceServer: string | null;
  readonly certificateSubject: {
    readonly kind: ("SUBJECT_DN" | "SAN_DNS" | "SAN_URI" | "SAN_IP" | "SAN_EMAIL");
    readonly value: string;
  } | null;
  readonly selfSigned: boolean;
  readonly certificateBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly secrets: readonly {
    readonly id: string;
    readonly hint: string | null;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endedAt: string | null;
  }[];
});

export interface ChangedClient {
  readonly client: AdministeredClient | null;
  readonly errors: readonly Refusal[];
}

export interface ClientWithSecret {
  readonly client: AdministeredClient | null;
  readonly clientSecret: string | null;
  readonly errors: readonly Refusal[];
}

export interface ListClientsData {
  readonly clients: readonly ListedClient[];
}

export interface ListClientsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: ClientFilter | null;
}

export const ListClients: StudioDocument<ListClientsData, ListClientsVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}query ListClients($first:Int!$after:ID$filter:ClientFilter){clients(first:$first after:$after filter:$filter){...ListedClient}}",
  id: "sha256:a558d710113235e2c1bc53e1667822e798dd09744060b3058e03dd02e8f88188",
};

export interface ReadClientData {
  readonly client: AdministeredClient | null;
}

export interface ReadClientVariables {
  readonly id: string;
}

export const ReadClient: StudioDocument<ReadClientData, ReadClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}query ReadClient($id:ID!){client(id:$id){...AdministeredClient}}",
  id: "sha256:d5880e4ebcd44a130914f410833e2f733dfd94eb1383cf97d62d75a0ee4cddf4",
};

export interface CreateClientData {
  readonly createClient: ClientWithSecret | null;
}

export interface CreateClientVariables {
  readonly input: CreateClientInput;
}

export const CreateClient: StudioDocument<CreateClientData, CreateClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation CreateClient($input:CreateClientInput!){createClient(input:$input){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:2af31c95cb31942ea7ab11172ef90a2412a084679851204f2fdf6a59b4e64f7a",
};

export interface UpdateClientData {
  readonly updateClient: ChangedClient | null;
}

export interface UpdateClientVariables {
  readonly id: string;
  readonly input: UpdateClientInput;
}

export const UpdateClient: StudioDocument<UpdateClientData, UpdateClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation UpdateClient($id:ID!$input:UpdateClientInput!){updateClient(id:$id input:$input){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:c4657769936209a173c7b63139a9d2a7f2f58c6148831eed7b3bd6679130f806",
};

export interface DisableClientData {
  readonly disableClient: ChangedClient | null;
}

export interface DisableClientVariables {
  readonly id: string;
}

export const DisableClient: StudioDocument<DisableClientData, DisableClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation DisableClient($id:ID!){disableClient(id:$id){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:9069ceacb5660c80a22b5170f6d6a72817d61ec16130b878c70f562ed776a8ce",
};

export interface EnableClientData {
  readonly enableClient: ChangedClient | null;
}

export interface EnableClientVariables {
  readonly id: string;
}

export const EnableClient: StudioDocument<EnableClientData, EnableClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation EnableClient($id:ID!){enableClient(id:$id){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:c1bc84c8aeb69b1d3bec3c112dba8269ac30db67e621ed1c6e56a547f61d45c2",
};

export interface DeleteClientData {
  readonly deleteClient: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteClientVariables {
  readonly id: string;
}

export const DeleteClient: StudioDocument<DeleteClientData, DeleteClientVariables> = {
  text: "mutation DeleteClient($id:ID!){deleteClient(id:$id){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:723f96a4d29c2ac9a033cd84581325e371a7c60d6ea623b5175131f0544e4c39",
};

export interface EndClientTokensData {
  readonly endClientTokens: {
    readonly isComplete: boolean | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface EndClientTokensVariables {
  readonly id: string;
}

export const EndClientTokens: StudioDocument<EndClientTokensData, EndClientTokensVariables> = {
  text: "mutation EndClientTokens($id:ID!){endClientTokens(id:$id){isComplete errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:8d18b08286993ccbeda261768c767a9ebaf392b9f17ce1f5fe7ce3eda64e5dc5",
};

export interface AddClientSecretData {
  readonly addClientSecret: ClientWithSecret | null;
}

export interface AddClientSecretVariables {
  readonly id: string;
}

export const AddClientSecret: StudioDocument<AddClientSecretData, AddClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation AddClientSecret($id:ID!){addClientSecret(id:$id){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:84556a37956e145dc17a06231f0926e550c8e0260824bf4053e27a808b101250",
};

export interface RotateClientSecretData {
  readonly rotateClientSecret: ClientWithSecret | null;
}

export interface RotateClientSecretVariables {
  readonly id: string;
}

export const RotateClientSecret: StudioDocument<RotateClientSecretData, RotateClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation RotateClientSecret($id:ID!){rotateClientSecret(id:$id){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:ce2cf2837083f4aaa2ee930d1cea30717ae78b0005623e52ef4cfd66106077f0",
};

export interface EndClientSecretData {
  readonly endClientSecret: ChangedClient | null;
}

export interface EndClientSecretVariables {
  readonly id: string;
  readonly secret: string;
}

export const EndClientSecret: StudioDocument<EndClientSecretData, EndClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation EndClientSecret($id:ID!$secret:ID!){endClientSecret(id:$id secret:$secret){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:3b3daf060b1d8f0f7d7e7453fb0ec65184400586e7e6417e3e1daaf4a48ea9e1",
};
