import type { Theme } from "vitepress";
import { Layout } from "./layout.ts";
import "virtual:colours.css";
import "./style.css";

export default { Layout } satisfies Theme;
