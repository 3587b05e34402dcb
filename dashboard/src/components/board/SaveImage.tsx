/** Downloads the chart of a tile as an image that explains itself. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPhotoDown } from '@tabler/icons-react';
import { boards as text } from '../../texts/boards';
import { drawImage, useChartImages } from '../chart/image';
import { useLook } from '../chart/look';
import { download } from '../files';

export function SaveImage({ title, about }: { title: string; about: string }) {
  const look = useLook();
  const chart = useChartImages().find((one) => one.title === title);
  if (!chart) return null;
  const save = async () =>
    download(`${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.png`, await drawImage(chart, about, look));
  return (
    <Tooltip label={text.png(title)}>
      <ActionIcon size="sm" aria-label={text.png(title)} onClick={() => void save()}>
        <IconPhotoDown size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
