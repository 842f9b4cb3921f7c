// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";

export interface AnnounceEditingData {
  readonly announceEditing: boolean | null;
}

export interface AnnounceEditingVariables {
  readonly id: string;
}

export const AnnounceEditing: StudioDocument<AnnounceEditingData, AnnounceEditingVariables> = {
  text: "mutation AnnounceEditing($id:ID!){announceEditing(id:$id)}",
  id: "sha256:1d9703edacda73d6ba12d98e185ffc77aa0fcfead0a1a21603465892ec381f7c",
};

export interface WorkingCopyEventsData {
  readonly workingCopyEvents: {
    readonly workingVersion: number;
    readonly editing: readonly {
      readonly name: string;
    }[];
  };
}

export interface WorkingCopyEventsVariables {
  readonly post: string;
}

export const WorkingCopyEvents: StudioDocument<WorkingCopyEventsData, WorkingCopyEventsVariables> = {
  text: "subscription WorkingCopyEvents($post:ID!){workingCopyEvents(post:$post){workingVersion editing{name}}}",
  id: "sha256:58b578f9c4d945a6a233d13d3cf631f03f075796d4c918e20448b30bc727cbd8",
};
