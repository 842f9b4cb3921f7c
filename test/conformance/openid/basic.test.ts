import { basicModules } from "./basic-modules.ts";

basicModules("oidcc-basic-certification-test-plan", "query");
