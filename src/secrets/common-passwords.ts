/** Long enough for the rules, and still what guessing starts with. Lower case, without spaces and punctuation. */
const COMMON: ReadonlySet<string> = new Set([
  "passwordpassword",
  "password12345678",
  "passwordpassword1",
  "thisismypassword",
  "mypasswordispassword",
  "letmeinletmein",
  "letmeinletmeinletmein",
  "correcthorsebatterystaple",
  "qwertyuiopasdfgh",
  "qwertyuiopasdfghjkl",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjkl",
  "azertyuiopqsdfghjklm",
  "1qaz2wsx3edc4rfv",
  "1qaz2wsx3edc4rfv5tgb",
  "zaq12wsxcde34rfv",
  "q1w2e3r4t5y6u7i8",
  "q1w2e3r4t5y6u7i8o9p0",
  "1q2w3e4r5t6y7u8i",
  "1q2w3e4r5t6y7u8i9o0p",
  "iloveyouiloveyou",
  "iloveyousomuch123",
  "administrator123",
  "administratoradministrator",
  "changemechangeme",
  "changemenow12345",
  "welcomewelcome123",
  "welcometothejungle",
  "trustno1trustno1",
  "superman12345678",
  "abcdefghijklmnop",
  "abcdefghijklmnopqrstuvwxyz",
  "abc123abc123abc123",
  "iamtheadministrator",
  "thequickbrownfox",
  "thequickbrownfoxjumpsoverthelazydog",
  "maytheforcebewithyou",
  "onetwothreefourfive",
]);

const SEQUENCES = ["01234567890123456789012345678901234567890", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"];

/** In the list, one short piece over and over, or straight along the digits or the alphabet. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return COMMON.has(text) || /^(.{1,6}?)\1+$/su.test(password.toLowerCase()) || SEQUENCES.some(alongside(text));
}

function alongside(text: string) {
  const backwards = [...text].reverse().join("");
  return (sequence: string) => text !== "" && (sequence.includes(text) || sequence.includes(backwards));
}
