/** Pixels of the pictures in docs/images. */
export const SIZE = { width: 1280, height: 800 };
/** Bytes of the largest one. */
export const LARGEST = 80_000;
