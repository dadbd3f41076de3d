# data, store, metrics, checkpoint, driver, launch.
dlm_gtest(RuntimeTrainTest SOURCES TrainTest.cpp HandMadeMlp.cpp HandMadeMlpKernels.cpp
  LINK DlmLaunch nlohmann_json::nlohmann_json)
