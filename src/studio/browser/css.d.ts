/** Style sheets are imported beside their components; the build makes one file of them all. */
declare module "*.css";
