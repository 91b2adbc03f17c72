/** Outlines on a grid of 24, drawn with a stroke of 1.75. */
const PATHS = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6h-6v6H5a1 1 0 0 1-1-1z",
  deals: "M4 6h16M4 12h16M4 18h10",
  reports: "M5 20V11M12 20V4M19 20v-6M3 20h18",
  ask: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8 9h8M8 12h5",
  competitors: "M6 21V4h12l-2.5 4L18 12H6",
  features: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 16.5h7M16.5 13v7",
  library: "M4 5h5v14H4zM9 5h5v14H9zM15 5.8l3.6-.9 3 13.2-3.6.9z",
  review: "M5 4h14v16H5zM8.5 12l2.5 2.5 4.5-5",
  settings: "M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16.2 16.2L20 20",
  filter: "M4 6h16l-6 7v6l-4-2v-4z",
  columns: "M5 5h14v14H5zM10 5v14M14.5 5v14",
  upload: "M12 16V5M7.5 9.5L12 5l4.5 4.5M5 19h14",
  download: "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19h14",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  right: "M9 5l7 7-7 7",
  left: "M15 5l-7 7 7 7",
  send: "M4 12l16-8-6 16-3-7z",
  document: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  external: "M14 4h6v6M20 4l-9 9M18 14v5H5V6h5",
  stop: "M7 7h10v10H7z",
  spark: "M12 3l2 6 6 2-6 2-2 6-2-6-6-2 6-2z",
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <circle cx="16" cy="16" r="5" />
    <path d="M3 16h7M22 16h7" />
  </svg>
)
