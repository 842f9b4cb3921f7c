interface NewsProps {
  readonly unseen: number;
  readonly changed: number;
  readonly onShow: () => void;
}

/** Changes since the list was loaded. Nothing moves before the person asks for it. */
export function News({ unseen, changed, onShow }: NewsProps) {
  const words = [...(unseen === 0 ? [] : [`${unseen} new`]), ...(changed === 0 ? [] : [`${changed} changed`])];
  return (
    <div class="news" role="status">
      {words.length > 0 && (
        <button type="button" class="quiet" onClick={onShow}>
          {words.join(", ")}. Show
        </button>
      )}
    </div>
  );
}
