// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { RevertAgentChangesInput } from "./inputs.ts";

export interface AgentsPageData {
  readonly agents: {
    readonly nodes: readonly AgentFacts[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
    readonly stoppedAt: string | null;
  };
}

export interface AgentsPageVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly clientId?: string | null;
}

export const AgentsPage: StudioDocument<AgentsPageData, AgentsPageVariables> = {
  text: "query AgentsPage($first:Int!$after:String$clientId:ID){agents(first:$first after:$after clientId:$clientId){nodes{...AgentFacts}pageInfo{hasNextPage endCursor}stoppedAt}}fragment AgentFacts on Agent{id clientId clientName personId personName isStopped firstUsedAt lastUsedAt writesLastDay}",
  id: "sha256:de90aae39a4653ded2cc7df936362c0dfe683fcd4d36cb08a03cffb43151b9bc",
};

export interface StopAgentData {
  readonly stopAgent: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface StopAgentVariables {
  readonly id: string;
}

export const StopAgent: StudioDocument<StopAgentData, StopAgentVariables> = {
  text: "mutation StopAgent($id:ID!){stopAgent(id:$id){errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:f0074cab2bb1ed0cc6c42db5b17d15050c2d2308d79b936772f6f19666282465",
};

export interface LetAgentInData {
  readonly enableClient: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface LetAgentInVariables {
  readonly id: string;
}

export const LetAgentIn: StudioDocument<LetAgentInData, LetAgentInVariables> = {
  text: "mutation LetAgentIn($id:ID!){enableClient(id:$id){errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:7fd1ff6756fd8c65443340e2ce47e2a07aebec3fce678476c99ec9957e0f1d30",
};

export interface StopAllAgentsData {
  readonly stopAllAgents: {
    readonly stoppedAt: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export type StopAllAgentsVariables = Record<string, never>;

export const StopAllAgents: StudioDocument<StopAllAgentsData, StopAllAgentsVariables> = {
  text: "mutation StopAllAgents{stopAllAgents{stoppedAt errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:60c2e717453420a9abffcae9100c495a87fdc4ef7bb371ac1fc1aa20316d5d66",
};

export interface ResumeAgentsData {
  readonly resumeAgents: {
    readonly stoppedAt: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export type ResumeAgentsVariables = Record<string, never>;

export const ResumeAgents: StudioDocument<ResumeAgentsData, ResumeAgentsVariables> = {
  text: "mutation ResumeAgents{resumeAgents{stoppedAt errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:5960c4599af051ec744f0c0c0344a546ec5f764cf9dc6b8bade327eea9581555",
};

export interface RevertAgentChangesData {
  readonly revertAgentChanges: {
    readonly reverted: readonly {
      readonly postId: string;
      readonly as: ("DELETED" | "RESTORED" | "CREATED_AGAIN");
    }[] | null;
    readonly left: readonly {
      readonly postId: string;
      readonly reason: string;
    }[] | null;
    readonly isComplete: boolean | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RevertAgentChangesVariables {
  readonly input: RevertAgentChangesInput;
}

export const RevertAgentChanges: StudioDocument<RevertAgentChangesData, RevertAgentChangesVariables> = {
  text: "mutation RevertAgentChanges($input:RevertAgentChangesInput!){revertAgentChanges(input:$input){reverted{postId as}left{postId reason}isComplete errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:19634c1ed00532014ffb1c6cae9a74453f1872736d95ee1f39bef2a132855fbc",
};

export interface AgentFacts {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly personId: string | null;
  readonly personName: string | null;
  readonly isStopped: boolean;
  readonly firstUsedAt: string;
  readonly lastUsedAt: string;
  readonly writesLastDay: number;
}
