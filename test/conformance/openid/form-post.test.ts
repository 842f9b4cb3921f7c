import { basicModules } from "./basic-modules.ts";

basicModules("oidcc-formpost-basic-certification-test-plan", "form_post");
